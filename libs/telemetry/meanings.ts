import type { attribute, span } from './names.ts';

/** What stands in an attribute: its unit where it has one, its shape otherwise; and what it says. Complete by its type. */
export const attributeMeanings: Record<keyof typeof attribute, readonly [unit: string, meaning: string]> = {
  table: ['id', 'The table the work is for'],
  seat: ['number', 'The seat that is asked, decides or acts'],
  decision: ['id', 'The question a seat is asked; the same from the question to the act'],
  verb: ['text', 'What the question asks for: `say`, `tell` or `choose`'],
  reason: ['text', 'Why an act, a name or a request was refused'],
  recipe: ['text', 'The recipe of the mind that decides'],
  step: ['text', 'The step of the mind'],
  queue: ['text', 'The queue a message was taken from'],
  attempt: ['number', '1 for the first try'],
  server: ['host', 'The model server'],
  model: ['text', 'The model asked for'],
  modelUsed: ['text', 'The model that answered'],
  operation: ['text', 'What was asked of the model: `chat`'],
  provider: ['text', 'What serves the model: `ollama`'],
  inputTokens: ['tokens', 'Length of what the model read'],
  outputTokens: ['tokens', 'Length of what the model wrote'],
  finish: ['texts', 'Why the model stopped'],
  messagingSystem: ['text', '`rabbitmq`, or `memory` in the game of one process'],
  messagingOperation: ['text', '`send` or `process`'],
  messagingName: ['text', 'The operation as the broker calls it'],
  destination: ['text', 'The exchange or queue'],
  messageId: ['id', 'The message; the same when it is sent again'],
  conversation: ['id', 'The conversation: a request and its answers'],
  routingKey: ['text', 'The routing key'],
};

/** How a span is shown on the page, who makes it, and what it covers. Complete by its type. */
export const spanMeanings: Record<keyof typeof span, readonly [shown: string, service: string, meaning: string]> = {
  ask: ['ask seat', 'gamemaster', 'A seat is asked; the first span of a decision'],
  act: ['take act', 'gamemaster', 'An act is taken: refused, or written on the tape'],
  decide: ['decide', 'player', 'From the question to the last answer of the mind'],
  step: ['<kind> <step>', 'player', 'One step of a mind'],
  complete: ['complete', 'llm-gateway', 'A completion is in the hands of the gateway, waiting included'],
  chat: ['chat <model>', 'llm-gateway', 'One call of a model server'],
  send: ['send <type>', 'every service', 'A message is sent, until the broker confirms it'],
  process: ['process <type>', 'every service', 'A message is taken, until it is acknowledged'],
};
