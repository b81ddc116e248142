import { join } from 'node:path';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import { root } from '../equipment/source/repository.ts';
import { type Resource, render } from './kustomize.ts';

/** The folder of an overlay. */
export const overlay = (name: string) => join(root, 'infra/k8s/overlays', name);

export const overlays = ['small', 'production'] as const;

/** Everything that is applied, by overlay. */
export const rendered: Readonly<Record<(typeof overlays)[number], readonly Resource[]>> = {
  small: render(overlay('small')),
  production: render(overlay('production')),
};

/** Pods of one kind: what a workload makes of its template. */
export interface Pods {
  readonly name: string;
  readonly owner: Resource;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: IPodSpec;
  readonly containers: readonly IContainer[];
}

interface Workload {
  readonly template?: { readonly metadata: { readonly labels: Record<string, string> }; readonly spec: IPodSpec };
  readonly jobTemplate?: { readonly spec: Workload };
}

/** The pods that our own manifests make; those of broker and database are made by operators. */
export function podsOf(set: readonly Resource[]): readonly Pods[] {
  return set.flatMap((owner) => {
    if (!['Deployment', 'StatefulSet', 'Job', 'CronJob'].includes(owner.kind)) return [];
    const of = owner['spec'] as Workload;
    const template = (of.jobTemplate?.spec ?? of).template!;
    const { spec } = template;
    return [
      {
        name: owner.metadata.name,
        owner,
        labels: template.metadata.labels,
        spec,
        containers: [...(spec.initContainers ?? []), ...spec.containers],
      },
    ];
  });
}

/** The one of a kind with a name. @throws Error when there is none */
export function the(set: readonly Resource[], kind: string, name: string): Resource {
  const found = set.find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
}

export const allOf = (set: readonly Resource[], kind: string): readonly Resource[] => set.filter((each) => each.kind === kind);

/** What a ConfigMap holds. */
export const dataOf = (set: readonly Resource[], name: string): Readonly<Record<string, string>> =>
  the(set, 'ConfigMap', name)['data'] as Record<string, string>;

/** The variables of a container as the cluster sets them; those out of secrets are empty. Of two that set the same the later one holds. */
export function variablesOf(set: readonly Resource[], { envFrom = [], env = [] }: IContainer): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const { configMapRef } of envFrom) Object.assign(all, dataOf(set, configMapRef!.name!));
  for (const { name, value = '' } of env) all[name] = value;
  return all;
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];
}

/** Whether labels are what a selector wants; an empty selector wants nothing. @throws Error for an operator that ours do not use */
export function fits({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Readonly<Record<string, string>>): boolean {
  const within = matchExpressions.every(({ key, operator, values = [] }) => {
    if (operator !== 'In') throw new Error(`the operator ${operator} is not known here`);
    return labels[key] !== undefined && values.includes(labels[key]);
  });
  return within && Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}

/** How many replicas there are at least: by whoever scales, else as it is written; where nothing says so, one. */
export function fewest(set: readonly Resource[], kind: string, name: string): number {
  const scaler = set.find(
    (each) =>
      ['HorizontalPodAutoscaler', 'ScaledObject'].includes(each.kind) &&
      (each['spec'] as { scaleTargetRef: { kind: string; name: string } }).scaleTargetRef.name === name &&
      (each['spec'] as { scaleTargetRef: { kind: string } }).scaleTargetRef.kind === kind,
  );
  const by = scaler?.['spec'] as { minReplicas?: number; minReplicaCount?: number } | undefined;
  return by?.minReplicas ?? by?.minReplicaCount ?? (the(set, kind, name)['spec'] as { replicas?: number }).replicas ?? 1;
}
