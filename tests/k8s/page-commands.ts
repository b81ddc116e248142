import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../equipment/source/repository.ts';

/** A section of a page, from its heading to the next of the same or a higher level. @throws Error when there is none */
export function sectionOf(path: string, heading: string): string {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  const from = lines.indexOf(heading);
  if (from < 0) throw new Error(`${path} has no section ${heading}`);
  const level = heading.indexOf(' ');
  const length = lines.slice(from + 1).findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
  return lines.slice(from, length < 0 ? undefined : from + 1 + length).join('\n');
}

/** What a page tells people to type that changes who runs, in its order. */
export type Step =
  | { readonly does: 'scale'; readonly names: readonly string[]; readonly to: number }
  | { readonly does: 'hold' | 'let-go'; readonly names: readonly string[] }
  | { readonly does: 'delete'; readonly names: readonly string[] }
  | { readonly does: 'apply'; readonly overlay: string };

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Reads the commands of kubectl in a text: those that scale Deployments, pause scalers, remove them, and apply an overlay as a whole. */
export function stepsIn(text: string): readonly Step[] {
  return text.split('\n').flatMap((line): readonly Step[] => {
    const command = line.replace(/ #.*$/, '');
    const scale = /kubectl -n maw scale deployment ([\w -]+?) --replicas=(\d+)/.exec(command);
    if (scale) return [{ does: 'scale', names: words(scale[1]!), to: Number(scale[2]) }];
    const annotate = /kubectl -n maw annotate scaledobject ([\w -]+?) autoscaling\.keda\.sh\/paused-replicas(=0|-)(?: |$)/.exec(command);
    if (annotate) return [{ does: annotate[2] === '-' ? 'let-go' : 'hold', names: words(annotate[1]!) }];
    const remove = /kubectl -n maw delete hpa ([\w -]+)/.exec(command);
    if (remove) return [{ does: 'delete', names: words(remove[1]!) }];
    const apply = /kubectl apply -k infra\/k8s\/overlays\/(\w+)\s*$/.exec(command);
    return apply ? [{ does: 'apply', overlay: apply[1]! }] : [];
  });
}
