import type { Resource } from './kustomize.ts';
import { allOf, fits, podsOf } from './manifests.ts';

type Selector = Parameters<typeof fits>[0];
interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number | string }[];
}
interface Policy {
  readonly podSelector: Selector;
  readonly policyTypes: readonly ('Ingress' | 'Egress')[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

/** A kind of pods, by its labels. */
export interface OperatedPods {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** What the policies of a set allow. */
export interface Connections {
  /** `a -> b:port`; both ends allow it, or one end is outside of the namespace. */
  readonly open: readonly string[];
  /** Allowed by one end and not by the other: a policy that was forgotten. */
  readonly halfOpen: readonly string[];
  /** Pods that some direction is not closed for: no policy chooses them there, so everything is allowed. */
  readonly unguarded: readonly string[];
  /** Pods that may ask for names. */
  readonly named: readonly string[];
}

/** Where names are asked for: the cluster's own pods, NodeLocal DNSCache, OpenShift. */
const DNS = [
  'namespace:kube-system pods:k8s-app=kube-dns:53',
  '169.254.20.10/32:53',
  'namespace:openshift-dns pods:dns.operator.openshift.io/daemonset-dns=default:5353',
];

/** Who reaches whom, from the NetworkPolicies as the cluster reads them: what no policy allows is closed once any policy chooses the pod. */
export function connectionsOf(set: readonly Resource[], operated: readonly OperatedPods[]): Connections {
  const parties: readonly OperatedPods[] = [...podsOf(set).map(({ name, labels }) => ({ name, labels })), ...operated];
  const policies = allOf(set, 'NetworkPolicy').map((each) => each['spec'] as Policy);
  const chosenBy = (party: OperatedPods, type: 'Ingress' | 'Egress') =>
    policies.filter(({ podSelector, policyTypes }) => policyTypes.includes(type) && fits(podSelector, party.labels));
  const ends = (peers: readonly Peer[] | undefined): readonly string[] => {
    if (peers === undefined) return ['anybody'];
    return peers.flatMap(({ podSelector, namespaceSelector, ipBlock }) => {
      if (ipBlock) return [ipBlock.except ? `${ipBlock.cidr} but ${ipBlock.except.join(' ')}` : ipBlock.cidr];
      if (!namespaceSelector) return parties.filter(({ labels }) => fits(podSelector!, labels)).map(({ name }) => name);
      const space = `namespace:${namespaceSelector.matchLabels?.['kubernetes.io/metadata.name'] ?? 'any'}`;
      const pods = Object.entries(podSelector?.matchLabels ?? {}).map(([key, value]) => ` pods:${key}=${value}`);
      return [`${space}${pods.join('')}`];
    });
  };
  const portsOf = ({ ports }: Rule) => ports?.map(({ port }) => String(port)) ?? ['any'];
  const out = new Set<string>();
  const into = new Set<string>();
  for (const party of parties) {
    for (const { egress = [] } of chosenBy(party, 'Egress'))
      for (const rule of egress)
        for (const end of ends(rule.to)) for (const port of portsOf(rule)) out.add(`${party.name} -> ${end}:${port}`);
    for (const { ingress = [] } of chosenBy(party, 'Ingress'))
      for (const rule of ingress)
        for (const end of ends(rule.from)) for (const port of portsOf(rule)) into.add(`${end} -> ${party.name}:${port}`);
  }
  const names = new Set(parties.map(({ name }) => name));
  const isInside = (arrow: string) => {
    const [from = '', to = ''] = arrow.split(' -> ');
    return names.has(from) && names.has(to.slice(0, to.lastIndexOf(':')));
  };
  const all = [...new Set([...out, ...into])].filter((arrow) => !DNS.some((end) => arrow.endsWith(` -> ${end}`)));
  const isHalf = (arrow: string) => isInside(arrow) && !(out.has(arrow) && into.has(arrow));
  return {
    open: all.filter((arrow) => !isHalf(arrow)).toSorted(),
    halfOpen: all.filter(isHalf).toSorted(),
    unguarded: parties.flatMap((party) =>
      (['Ingress', 'Egress'] as const).filter((type) => chosenBy(party, type).length === 0).map((type) => `${party.name}: ${type}`),
    ),
    named: parties.filter(({ name }) => DNS.every((end) => out.has(`${name} -> ${end}`))).map(({ name }) => name),
  };
}
