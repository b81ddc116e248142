import { describe, expect, it } from '@jest/globals';
import type { Resource } from './kustomize.ts';
import { allOf, overlays, podsOf, rendered, the } from './manifests.ts';
import { type OperatedPods, connectionsOf } from './network-policies.ts';
import { allowedConnections } from './allowed-connections.ts';

/** As operators label the pods that they make, and cert-manager those of its challenges. */
const operated: readonly OperatedPods[] = [
  { name: 'rabbitmq', labels: { 'app.kubernetes.io/name': 'rabbitmq' } },
  { name: 'postgres', labels: { 'cnpg.io/cluster': 'postgres' } },
  { name: 'postgres-restore-test', labels: { 'cnpg.io/cluster': 'postgres-restore-test' } },
  { name: 'acme-challenge', labels: { 'acme.cert-manager.io/http01-solver': 'true' } },
];

describe.each(overlays)('in the overlay %s', (name) => {
  const reach = connectionsOf(rendered[name], operated);

  it('policies allow exactly the listed connections', () => {
    expect(reach.open).toEqual(allowedConnections[name].toSorted());
    expect(reach.halfOpen).toEqual([]);
  });

  it('every pod has a policy, and DNS is allowed', () => {
    expect(reach.unguarded).toEqual([]);
    expect(reach.named.toSorted()).toEqual([...podsOf(rendered[name]), ...operated].map((each) => each.name).toSorted());
  });

  it('named ports are ports of containers', () => {
    const listening = podsOf(rendered[name]).map(
      (pod) =>
        [pod.name, pod.spec.containers.flatMap(({ ports = [] }) => ports.map(({ containerPort }) => String(containerPort)))] as const,
    );
    for (const [pod, ports] of listening) {
      const asked = reach.open.filter((arrow) => arrow.includes(`-> ${pod}:`)).map((arrow) => arrow.slice(arrow.lastIndexOf(':') + 1));
      expect([pod, asked.filter((port) => !ports.includes(port))]).toEqual([pod, []]);
    }
  });
});

it('detects missing, one-sided and too wide policies', () => {
  const without = (policy: string) => rendered.small.filter(({ metadata }) => metadata.name !== policy);
  expect(connectionsOf(without('broker'), operated).halfOpen).toContain('gamemaster -> rabbitmq:5672');
  expect(connectionsOf(without('deny-all'), operated).unguarded).toContain('gamemaster: Ingress');
  const wide = structuredClone(the(allOf(rendered.small, 'NetworkPolicy'), 'NetworkPolicy', 'web-door')) as Resource & {
    spec: { ingress: { from?: unknown }[] };
  };
  delete wide.spec.ingress[0]!.from;
  expect(connectionsOf([...without('web-door'), wide], operated).open).toContain('anybody -> web:8080');
});
