import { describe, expect, it } from '@jest/globals';
import { sectionOf, type Step, stepsIn } from './page-commands.ts';
import { allOf, fewest, overlays, rendered, the } from './manifests.ts';

type Overlay = (typeof overlays)[number];
const SERVICES = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'aiwolf', 'contest'];
const page = sectionOf('docs/operations-cluster.md', '### Restore');

/** What each overlay's people type: scalers are of production alone, and what follows the apply of an overlay is of that overlay. */
function stepsOf(text: string, name: Overlay): readonly Step[] {
  let of: string | undefined;
  return stepsIn(text).filter((step) => {
    if (step.does === 'apply') of = step.overlay;
    if (step.does === 'apply' || step.does === 'scale') return of === undefined || of === name;
    return name === 'production';
  });
}

/** Does the steps one after another, as the cluster would. Returns replicas by Deployment, and the scalers that are paused or gone. */
function after(steps: readonly Step[], name: Overlay) {
  const set = rendered[name];
  const replicas = new Map(SERVICES.map((service) => [service, fewest(set, 'Deployment', service)]));
  const scalerOf = (kind: string, service: string) =>
    allOf(set, kind).find((each) => (each['spec'] as { scaleTargetRef: { name: string } }).scaleTargetRef.name === service)?.metadata.name;
  const [paused, gone] = [new Set<string>(), new Set<string>()];
  for (const step of steps) {
    if (step.does === 'hold') for (const scaler of step.names) paused.add(the(set, 'ScaledObject', scaler).metadata.name);
    if (step.does === 'let-go') for (const scaler of step.names) paused.delete(scaler);
    if (step.does === 'delete') for (const scaler of step.names) gone.add(the(set, 'HorizontalPodAutoscaler', scaler).metadata.name);
    if (step.does === 'scale')
      for (const service of step.names) {
        const [object, hpa] = [scalerOf('ScaledObject', service), scalerOf('HorizontalPodAutoscaler', service)];
        const isHeld = (object === undefined || paused.has(object)) && (hpa === undefined || gone.has(hpa));
        if (step.to === 0 && !isHeld) throw new Error(`${service} is stopped while its scaler works`);
        if (step.to > 0 && object !== undefined && paused.has(object))
          throw new Error(`${service} is started while its scaler is paused at 0`);
        replicas.set(the(set, 'Deployment', service).metadata.name, step.to);
      }
    if (step.does === 'apply') {
      gone.clear();
      for (const service of SERVICES) {
        const written = (the(set, 'Deployment', service)['spec'] as { replicas?: number }).replicas;
        if (written !== undefined) replicas.set(service, written);
      }
    }
  }
  return { replicas: Object.fromEntries(replicas), paused: [...paused], gone: [...gone] };
}

describe.each(overlays)('the documented restore, overlay %s', (name) => {
  const steps = stepsOf(page, name);
  const stop = steps.findIndex((step) => step.does === 'scale' && step.to === 0);

  it('stops all writers, autoscalers first', () => {
    expect(after(steps.slice(0, stop + 1), name).replicas).toEqual(Object.fromEntries(SERVICES.map((service) => [service, 0])));
  });

  it('restarts all services and autoscalers', () => {
    const replicas = Object.fromEntries(SERVICES.map((service) => [service, fewest(rendered[name], 'Deployment', service)]));
    expect(after(steps, name)).toEqual({ replicas, paused: [], gone: [] });
  });
});

it('detects a bare apply, a paused scaler and a stop under a running scaler', () => {
  const [up, go] = [/^.*--replicas=[1-9].*$/gm, /^.*paused-replicas- .*$/gm];
  expect(after(stepsOf(page.replace(up, ''), 'production'), 'production').replicas).toMatchObject({ gamemaster: 0, player: 0 });
  expect(after(stepsOf(page.replace(up, ''), 'small'), 'small').replicas).toMatchObject({ 'llm-gateway': 0 });
  expect(() => after(stepsOf(page.replace(go, ''), 'production'), 'production')).toThrow(/gamemaster is started while/);
  expect(() => after(stepsOf(page.replace(/^.*delete hpa.*$/gm, ''), 'production'), 'production')).toThrow(/chatroom is stopped while/);
});
