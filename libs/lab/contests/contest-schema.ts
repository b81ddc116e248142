import { schemaOf } from '@maw/minds/prompts/json-schema.ts';
import { contestShape } from './definition.ts';

/** The JSON schema of contest files, for editors. */
export const contestSchema = (): { readonly [keyword: string]: unknown } => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A contest of agents of Multi-Agent Werewolf',
  ...schemaOf(contestShape, 'input'),
});
