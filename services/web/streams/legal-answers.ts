import type { AnswerOf } from '@maw/contracts/http/routes.ts';
import type { Page, ReadPage } from './view-pages.ts';

type Asking = Page['asked'][number];
type LegalAsking = AnswerOf<'GET /tables/:table/view'>['asked'][number];

/** A question with the JSON schema of its legal answers: of the same facts, so it tells nothing more. */
export const withAnswers = (asking: Asking): LegalAsking => ({ ...asking, answer: answersTo(asking) });

function answersTo({ verb, options, pick, maxChars }: Asking): LegalAsking['answer'] {
  const text = { type: 'string', minLength: 1, maxLength: maxChars };
  const option = { enum: options.map(({ is }) => is) };
  switch (verb) {
    case 'say':
      return options.length ? { anyOf: [option, text] } : text;
    case 'tell':
      return { type: 'object', properties: { to: option, text }, required: ['to', 'text'], additionalProperties: false };
    case 'choose':
      return pick === 1 ? option : { type: 'array', items: option, minItems: pick, maxItems: pick, uniqueItems: true };
  }
}

/** Reads pages whose questions say which answers are legal. */
export const withSchemas =
  (readPage: ReadPage): ReadPage =>
  async (...wanted) => {
    const page = await readPage(...wanted);
    return { ...page, asked: page.asked.map(withAnswers) };
  };
