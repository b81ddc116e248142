import type { Reply } from '@maw/contracts/registry.ts';

type Refusal = Extract<Reply, { performative: 'refuse' | 'failure' }>;

/** Whether a request was refused; otherwise its answer is the good one. */
export const isRefused = <D>(reply: Reply<D>): reply is Refusal => reply.performative === 'refuse' || reply.performative === 'failure';
