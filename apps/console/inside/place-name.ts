import { en, named } from '../text/en.ts';

/** The id of a phase or question, such as `round-1/day-2/vote`, in words. The first round is left out. */
export function placeName(id = ''): string {
  const parts = id.split('/').filter((part, i) => !(i === 0 && part === 'round-1') && part);
  const words = parts.map((part) => {
    const [, name = part, number = ''] = /^(.*?)(?:-(\d+))?$/.exec(part) ?? [];
    return `${named(en.inside.places, name)} ${number === '0' ? '' : number}`.trim();
  });
  const text = words.join(', ');
  return text && text[0]!.toUpperCase() + text.slice(1);
}
