import { z } from 'zod';
import type { Mind } from '@maw/minds/mind.ts';

const formOf = (is: string, shape: z.ZodType) => ({ is, shape });
const texts = formOf('a list of texts', z.array(z.string()));
const text = formOf('a text', z.string());
const map = formOf('a map', z.looseObject({}));

/** The notes that steps of the product read without a look at their form. */
const FORMS: { readonly [note: string]: ReturnType<typeof formOf> } = {
  own: texts,
  public: texts,
  observations: texts,
  debate: texts,
  finished: texts,
  period: text,
  choice: text,
  lan: map,
  decided: map,
  placed: map,
  hearing: map,
  marks: formOf('a list of maps', z.array(z.looseObject({}))),
};

/** What is wrong with notes. A recipe of one's own may use a name for something else: then the notes of its seat have that form already. */
export const wrongNotes = (notes: Mind['notes'], before: Mind['notes']): readonly string[] =>
  Object.entries(FORMS).flatMap(([note, { is, shape }]) => {
    const isRight = (value: unknown): boolean => value === undefined || shape.safeParse(value).success;
    return isRight(notes[note]) || !isRight(before[note]) ? [] : [`mind.notes.${note} must be ${is}`];
  });
