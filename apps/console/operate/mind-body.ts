import type { BodyOf } from '@maw/contracts/http/routes.ts';
import { givenValues, type TypedParameter } from '../ui/given-values.ts';

interface Chosen {
  readonly recipe: string;
  readonly model: string;
  /** As typed; empty: the usual value. */
  readonly given: { readonly [name: string]: string };
}

/** The body of a request that gives a seat another mind. */
export const mindBody = (
  parameters: readonly TypedParameter[],
  { recipe, model, given }: Chosen,
): BodyOf<'POST /tables/:table/seats/:seat/mind'> => ({
  ...(recipe && { recipe }),
  ...(model && { model }),
  ...givenValues(parameters, given),
});
