import confusables from 'unhomoglyph/data.json' with { type: 'json' };

const prototypes = new Map(Object.entries(confusables));

/** The skeleton of UTS 39: equal for texts that look alike, whatever their letters are. */
const skeleton = (text: string): string =>
  [...text.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '')]
    .map((character) => prototypes.get(character) ?? character)
    .join('')
    .normalize('NFD');

/** As it is written, in small letters and in capitals: `l` looks like `I`, and Cyrillic `т` like `T` alone. */
const looksOf = (name: string): readonly string[] => {
  const composed = name.normalize('NFKC');
  return [skeleton(composed).toLowerCase(), skeleton(composed.toLowerCase()), skeleton(composed.toUpperCase())];
};

/** Whether two names could be taken for each other: in another case or width, or with letters of another script that look the same. */
export function looksAlike(one: string, other: string): boolean {
  const looks = looksOf(one);
  return looksOf(other).some((look, i) => look === looks[i]);
}
