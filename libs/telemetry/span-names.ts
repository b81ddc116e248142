/**
 * Every name and unit that telemetry uses. OpenTelemetry's own name wins wherever there is one (messaging and gen_ai conventions).
 * A card, a role, a prompt or a speech is never an attribute; table and seat are attributes of spans and fields of log lines, never metric labels.
 */
export const attribute = {
  table: 'maw.table',
  seat: 'maw.seat',
  addressee: 'maw.addressee',
  decision: 'maw.decision',
  verb: 'maw.verb',
  phase: 'maw.phase',
  reason: 'maw.reason',
  recipe: 'maw.recipe',
  step: 'maw.step',
  queue: 'maw.queue',
  attempt: 'maw.attempt',
  server: 'server.address',
  port: 'server.port',
  model: 'gen_ai.request.model',
  modelUsed: 'gen_ai.response.model',
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  finish: 'gen_ai.response.finish_reasons',
  firstChunk: 'gen_ai.response.time_to_first_chunk',
  game: 'gen_ai.conversation.id',
  agent: 'gen_ai.agent.id',
  output: 'gen_ai.output.type',
  maxTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  seed: 'gen_ai.request.seed',
  stop: 'gen_ai.request.stop_sequences',
  stream: 'gen_ai.request.stream',
  error: 'error.type',
  waitMs: 'llmgw.queue.wait_ms',
  slackMs: 'llmgw.deadline.slack_ms',
  slotMs: 'llmgw.slot.ms',
  isWarm: 'llmgw.affinity.hit',
  callAttempt: 'llmgw.attempt',
  messagingSystem: 'messaging.system',
  messagingOperation: 'messaging.operation.type',
  messagingName: 'messaging.operation.name',
  destination: 'messaging.destination.name',
  destinationTemplate: 'messaging.destination.template',
  isTemporary: 'messaging.destination.temporary',
  messageId: 'messaging.message.id',
  conversation: 'messaging.message.conversation_id',
  routingKey: 'messaging.rabbitmq.destination.routing_key',
} as const;

/** Span names. One decision is one trace: ask, decide, the steps, the completion, the act. */
export const span = {
  /** The gamemaster asks a seat. */
  ask: 'ask seat',
  /** The gamemaster takes an act. */
  act: 'take act',
  /** A table reaches another public phase. It is a trace of its own: next to a seat it could reveal a role at night. */
  phase: 'reach phase',
  /** A seat has said something that everybody may read. A trace of its own, as what people do is not traced otherwise. */
  talk: 'hear talk',
  /** A player decides, from the question to its last answer. */
  decide: 'decide',
  /** One step of a mind; the step's name follows. */
  step: (kind: string, name: string) => `${kind} ${name}`,
  /** The gateway handles a request for a model, queueing and retries included (gen_ai convention: operation and model). */
  model: (operation: string, model: string) => `${operation} ${model}`,
  /** One call to a model server, within the span of its request. */
  attempt: 'attempt',
  /** Of a message: the exchange and its type, and where it is handled the queue of the service. */
  publish: (destination: string) => `publish ${destination}`,
  process: (destination: string) => `process ${destination}`,
} as const;
