import type { OptionTable } from '@maw/games/kernel/options.ts';
import type { Patience } from '@maw/api-client/retry.ts';
import { type FormEvent, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import { problemOf } from '../api/problem.ts';
import type { RecipeInfo, RuleSetInfo } from '../api/shapes.ts';
import { en, named } from '../text/en.ts';
import { ProblemNote, problemText } from '../ui/problem-note.tsx';
import { useRequest } from '../ui/use-request.ts';
import styles from '../ui/ui.module.css';
import { OptionFields } from './option-fields.tsx';
import { SeatFields } from './seat-fields.tsx';
import { type Draft, draftFor, modelsOf, recipesFor, termsOf, withPeople, withPlayers } from './terms.ts';

/** Opens a table: the form is made from what the rule sets, recipes and models say of themselves. */
export function OpenPage({ client }: { readonly client: ApiClient }) {
  const { value, problem, reload } = useRequest((patience) => readChoices(client, patience), [client]);
  if (problem && !value) return <ProblemNote problem={problem} retry={reload} />;
  return value ? <OpenForm client={client} choices={value} /> : <p className={styles['notice']}>{en.open.loading}</p>;
}

export interface Choices {
  readonly sets: readonly RuleSetInfo[];
  readonly recipes: readonly RecipeInfo[];
  readonly models: readonly string[];
}

async function readChoices(client: ApiClient, patience: Patience): Promise<Choices> {
  const [{ sets }, recipes, models] = await Promise.all([
    client.get('/rules', {}, patience),
    client.get('/recipes', {}, patience),
    client.get('/models', {}, { forMs: 0 }).catch(() => ({ servers: [] })),
  ]);
  return {
    sets,
    recipes: recipes.recipes,
    models: modelsOf(models.servers),
  };
}

function OpenForm({ client, choices }: { readonly client: ApiClient; readonly choices: Choices }) {
  const [params] = useSearchParams();
  const first = choices.sets.find(({ name }) => name === params.get('rules')) ?? choices.sets[0]!;
  const [draft, setDraft] = useState<Draft>(() => draftFor(first));
  const [, navigate] = useLocation();
  const [refused, setRefused] = useState<ApiProblem>();
  const [isSending, setSending] = useState(false);
  const set = choices.sets.find(({ name }) => name === draft.rules) ?? first;
  const rules = set.options as unknown as OptionTable;
  const people = draft.seats.filter(({ kind }) => kind === 'person').length;
  const recipes = recipesFor(set.name, choices.recipes);
  const change = (to: Partial<Draft>): void => setDraft({ ...draft, ...to });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setSending(true);
    setRefused(undefined);
    try {
      const { table, seats } = await client.post('/tables', {}, termsOf(draft, recipes, rules));
      const hasPeople = seats.some(({ kind }) => kind === 'person');
      navigate(`/t/${encodeURIComponent(table)}${hasPeople ? '/invite' : ''}`);
    } catch (error) {
      setRefused(problemOf(error));
      setSending(false);
    }
  };
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)}>
      <h1>{en.open.title}</h1>
      <GameChoice sets={choices.sets} chosen={set.name} onChange={(each) => setDraft(draftFor(each))} />
      <TermFields draft={draft} set={set} people={people} onChange={setDraft} />
      <SeatFields seats={draft.seats} recipes={recipes} models={choices.models} onChange={(seats) => change({ seats })} />
      <OptionFields options={rules} given={draft.options} isForPeople={people > 0} onChange={(options) => change({ options })} />
      {refused && <p role="alert">{problemText(refused)}</p>}
      <button type="submit" className={styles['primary']} disabled={isSending}>
        {en.open.submit}
      </button>
    </form>
  );
}

function GameChoice(props: { readonly sets: readonly RuleSetInfo[]; readonly chosen: string; onChange(set: RuleSetInfo): void }) {
  const { sets, chosen, onChange } = props;
  return (
    <fieldset className={styles['games']}>
      <legend>{en.open.game}</legend>
      {sets.map((each) => (
        <label key={each.name} data-chosen={each.name === chosen || undefined}>
          <input type="radio" name="rules" checked={each.name === chosen} onChange={() => onChange(each)} />
          <strong>{named(en.games, each.name)}</strong>
          <small>{each.says}</small>
        </label>
      ))}
    </fieldset>
  );
}

interface TermProps {
  readonly draft: Draft;
  readonly set: RuleSetInfo;
  readonly people: number;
  onChange(draft: Draft): void;
}

function TermFields({ draft, set, people, onChange }: TermProps) {
  return (
    <div className={styles['columns']}>
      <NumberField
        label={en.open.players}
        value={draft.seats.length}
        least={set.players.least}
        most={set.players.most}
        onChange={(players) => onChange(withPlayers(draft, players))}
      />
      <NumberField
        label={en.open.people}
        value={people}
        least={0}
        most={draft.seats.length}
        onChange={(count) => onChange(withPeople(draft, count))}
      />
      <NumberField label={en.open.rounds} value={draft.rounds} least={1} most={100} onChange={(rounds) => onChange({ ...draft, rounds })} />
      <Choice
        label={en.open.spectators}
        texts={en.open.spectatorsOf}
        value={draft.spectators}
        onChange={(spectators) => onChange({ ...draft, spectators })}
      />
      <Choice
        label={en.open.afterwards}
        texts={en.open.afterwardsOf}
        value={draft.afterwards}
        onChange={(afterwards) => onChange({ ...draft, afterwards })}
      />
      <Choice
        label={en.open.insight}
        texts={en.open.insightOf}
        value={draft.insight}
        onChange={(insight) => onChange({ ...draft, insight })}
      />
    </div>
  );
}

function NumberField(props: {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  onChange(value: number): void;
}) {
  const { label, value, least, most, onChange } = props;
  return (
    <label className={styles['field']}>
      {label}
      <input
        type="number"
        min={least}
        max={most}
        value={value}
        disabled={least === most}
        onChange={({ target }) => target.validity.valid && target.value && onChange(Number(target.value))}
      />
    </label>
  );
}

function Choice<T extends string>(props: {
  readonly label: string;
  readonly texts: { readonly [K in T]: string };
  readonly value: T;
  onChange(value: T): void;
}) {
  const { label, texts, value, onChange } = props;
  return (
    <label className={styles['field']}>
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value as T)}>
        {Object.entries<string>(texts).map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
