import type { Reply } from '@maw/contracts/registry.ts';

type Refused = Extract<Reply, { performative: 'refuse' | 'failure' }>;

/** Whether a request was refused; otherwise its answer is the good one. */
export const isRefused = <D>(reply: Reply<D>): reply is Refused => reply.performative === 'refuse' || reply.performative === 'failure';
