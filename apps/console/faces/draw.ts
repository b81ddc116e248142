import { createAvatar } from '@dicebear/core';
import { create, meta, type Options, schema } from '@dicebear/personas';

/** A face as a picture in a `data:` address, awake and asleep. */
export interface Face {
  readonly open: string;
  readonly closed: string;
}

/** How often another hair is looked for, so that everybody is known by it. There are twenty. */
const TRIES = 60;

/**
 * Draws a face from each name: the same name has the same face, unless somebody before it at the table has its hair.
 * @param names undefined where nobody sits
 */
export function drawFaces(names: readonly (string | undefined)[]): readonly (Face | undefined)[] {
  const taken = new Set<string>();
  return names.map((name) => {
    if (name === undefined) return undefined;
    for (let n = 0; ; n++) {
      const seed = n ? `${name} ${n}` : name;
      const face = { open: drawn(seed, ['open', 'happy', 'glasses']), closed: drawn(seed, ['sleep']) };
      const hair = String(face.open.toJson().extra['hair']);
      const [open, closed] = [face.open.toDataUri(), face.closed.toDataUri()];
      if (taken.has(open) || (n < TRIES && taken.has(hair))) continue;
      taken.add(hair).add(open);
      return { open, closed };
    }
  });
}

const drawn = (seed: string, eyes: Options['eyes']) =>
  createAvatar(
    { create, meta, schema },
    {
      seed,
      eyes: eyes!,
      mouth: ['smile', 'frown', 'surprise', 'bigSmile', 'smirk', 'lips'],
      facialHairProbability: 25,
    },
  );
