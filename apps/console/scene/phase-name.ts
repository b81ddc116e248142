import { en, fill, named } from '../text/en.ts';
import type { Phase } from '../time/phase.ts';

/** A phase in words. */
export function phaseName({ kind, number, detail }: Phase): string {
  if (kind === 'night' && typeof detail === 'string') return fill(en.phases.called, { detail: named(en.roles, detail) });
  if (kind === 'night' && number === 0) return en.phases.firstNight;
  if (kind === 'day' && number === 0) return en.phases.day.replace(/ ?\{number\}/, '');
  return fill(en.phases[kind], { number, detail: detail ?? '' });
}
