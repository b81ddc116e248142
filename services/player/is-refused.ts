import type { Reply } from '@maw/contracts/registry.ts';

type Refusal = Extract<Reply, { performative: 'refuse' | 'failure' }>;

/** Whether a reply is a refusal or a failure; otherwise it carries data. */
export const isRefused = <D>(reply: Reply<D>): reply is Refusal => reply.performative === 'refuse' || reply.performative === 'failure';
