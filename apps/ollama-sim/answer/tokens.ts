/** Cuts a text into pieces about as long as a model's tokens; together they are the text. */
export const tokensOf = (text: string): readonly string[] => text.match(/ ?\p{L}{1,7}|\d{1,3}|\n|[^\S\n]+|[^\p{L}\d\s]{1,2}/gu) ?? [];
