import { expect, it } from '@jest/globals';
import { keyOf } from '@maw/contracts/model-name.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { LlmRequest, Outcome } from '../request.ts';
import { unfitReplies } from './unfit-replies.ts';

const refused = (why: string): Outcome => ({ refusal: new Refusal('invalid-answer', why) });
const ANSWER = { answer: {} } as Outcome;
const request = ({ source = 'llm-gateway', subject = 'bot' } = {}) =>
  ({ message: { source, subject, data: { agent: 'bot' } }, attempts: [{ server: { name: 's' } }] }) as unknown as LlmRequest;

it('counts, by server and model, replies that did not fit', () => {
  const { ended, of } = unfitReplies();
  ended(request(), 'invalid', 'm:latest', refused('not JSON'));
  ended(request(), 'invalid', 'm', refused('/target must be string'));
  ended(request(), 'done', 'm:latest', ANSWER);
  ended(request(), 'late', 'm:latest', refused('late'));
  ended(request(), 'cancelled', 'm:latest', refused('cancelled'));
  expect(of('s', keyOf('m'))).toEqual({ replies: 3, unfit: 2, why: '/target must be string' });
});

it('counts nothing of tables, whoever asked for them: the model of a call by night would name a seat', () => {
  const { ended, of } = unfitReplies();
  ended(request({ source: 'player', subject: 't1' }), 'invalid', 'm', refused('not JSON'));
  ended(request({ subject: 'bot/t1' }), 'invalid', 'm', refused('not JSON'));
  expect(of('s', keyOf('m'))).toBeUndefined();
});
