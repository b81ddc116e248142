import { readConfig } from '@maw/service/config.ts';
import { busFields, lifeFields, storeFields, telemetryFields } from '@maw/service/config-fields.ts';
import { z } from 'zod';
import { defaultOptions } from './defaults.ts';
import { MAX_GRACE_MS, readServerTerms, TermsError } from '@maw/aiwolf/server/server-terms.ts';

/** The environment variables of the service. */
export const aiwolfConfig = z.object({
  ...busFields,
  ...storeFields,
  ...telemetryFields,
  ...lifeFields,
  AIWOLF_SERVERS: z
    .string()
    .transform((text, { addIssue }) => {
      try {
        return readServerTerms(text);
      } catch (error) {
        if (!(error instanceof TermsError)) throw error;
        addIssue({ code: 'custom', message: error.message.replaceAll('\n', '; ') });
        return z.NEVER;
      }
    })
    .optional()
    .describe('The servers that agents connect to: a JSON array of their terms (docs/aiwolf.md); without it there are none'),
  RETURN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_GRACE_MS)
    .default(defaultOptions.graceMs)
    .describe('After a restart: how long agents that have not connected again are waited for, in milliseconds'),
});

type AiwolfConfig = z.output<typeof aiwolfConfig>;

/** @throws ConfigError */
export const config = (env: Readonly<Record<string, string | undefined>> = process.env): AiwolfConfig => readConfig(aiwolfConfig, env);
