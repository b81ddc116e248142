import { z } from 'zod';

/** CloudEvents 1.0 in JSON, with a few extension attributes. */
export const envelope = z.object({
  specversion: z.literal('1.0'),
  id: z.string().min(1).max(200),
  source: z.string().min(1).max(100).meta({ description: 'The sending service.' }),
  type: z.string().min(1).max(100),
  subject: z.string().min(1).max(200).meta({ description: 'The table, or the contest; `-` when it concerns neither.' }),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json').optional(),
  dataversion: z.int().positive().meta({ description: 'The version of the contract of `data`.' }),
  performative: z
    .enum(['request', 'inform', 'query-ref', 'agree', 'refuse', 'failure'])
    .meta({ description: 'The FIPA communicative act.' }),
  causeid: z.string().max(200).optional().meta({ description: 'The id of the message that caused this one.' }),
  replyby: z.iso.datetime().optional().meta({ description: 'The deadline for the reply.' }),
  sequence: z.int().nonnegative().optional().meta({ description: 'The sequence number on the tape that it follows from.' }),
});

export type Envelope = Readonly<z.output<typeof envelope>>;

/** The data of a `refuse` or `failure` reply. */
export const refusal = z.object({
  reason: z.string().min(1).max(60).meta({ description: 'The reason code: `not-an-option`.' }),
  detail: z.string().max(2000).optional().meta({ description: 'What is wrong, where, and what to do instead; for people.' }),
  waitMs: z.int().min(0).optional().meta({
    description: 'After how many milliseconds a retry may succeed; absent: waiting does not help, or nobody knows.',
  }),
});
