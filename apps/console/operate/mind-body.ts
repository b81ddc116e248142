/** A parameter of a recipe, as `GET /recipes` has it. */
export interface Parameter {
  readonly name: string;
  readonly about?: string;
  readonly type: string;
  readonly default?: string | number | boolean;
  /** Of a choice. */
  readonly options?: readonly string[];
}

interface Chosen {
  readonly recipe: string;
  readonly model: string;
  /** As typed; empty: the usual value. */
  readonly given: { readonly [name: string]: string };
}

/** The body of a request that gives a seat another mind. */
export function mindBody(parameters: readonly Parameter[], { recipe, model, given }: Chosen): object {
  const chosen = parameters.flatMap(({ name, type }) => {
    const text = given[name]?.trim() ?? '';
    return text === '' ? [] : [[name, valueOf(text, type)] as const];
  });
  return { ...(recipe && { recipe }), ...(model && { model }), ...(chosen.length && { parameters: Object.fromEntries(chosen) }) };
}

/** What is no number or switch stays as it was typed: the server says what is wrong. */
function valueOf(text: string, type: string): string | number | boolean {
  if (/^(number|integer)$/.test(type) && Number.isFinite(Number(text))) return Number(text);
  return type === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
}
