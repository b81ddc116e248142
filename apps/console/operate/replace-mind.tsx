import { type FormEvent, useState } from 'react';
import type { ApiClient } from '@maw/api-client/client.ts';
import { en } from '../text/en.ts';
import { ParameterFields } from '../ui/parameter-fields.tsx';
import { problemText } from '../ui/problem-note.tsx';
import { useRequest } from '../ui/use-request.ts';
import { mindBody } from './mind-body.ts';
import { useAction } from './use-action.ts';
import { Words } from './words.tsx';
import styles from './operate.module.css';

const texts = en.operate.tables;

interface Props {
  readonly client: ApiClient;
  readonly table: string;
  readonly seat: number;
}

/** Gives a seat another recipe or model. */
export function ReplaceMind(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.replace}</summary>
      {isOpen && <MindForm {...props} />}
    </details>
  );
}

function MindForm({ client, table, seat }: Props) {
  const { value: recipes = [], problem } = useRequest(async (patience) => (await client.get('/recipes', {}, patience)).recipes, [client]);
  const { value: models } = useRequest((patience) => client.get('/models', {}, patience), [client]);
  const [recipe, setRecipe] = useState('');
  const [model, setModel] = useState('');
  const [given, setGiven] = useState<{ readonly [name: string]: string }>({});
  const action = useAction();
  const parameters = recipes.find(({ name }) => name === recipe)?.parameters ?? [];
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const body = mindBody(parameters, { recipe, model, given });
    await action.run(`/tables/${table}/seats/${seat}/mind`, () => client.post('/tables/:table/seats/:seat/mind', { table, seat }, body));
  };
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)}>
      <p className={styles['about']}>{texts.replaceLead}</p>
      {problem && <p className={styles['refused']}>{problemText(problem)}</p>}
      <label>
        {texts.recipe}
        <Choice names={recipes.map(({ name }) => name)} value={recipe} onChange={setRecipe} />
      </label>
      <label>
        {texts.model}
        <Choice names={[...new Set(models?.servers.flatMap((server) => server.models))]} value={model} onChange={setModel} />
      </label>
      <ParameterFields parameters={parameters} given={given} onChange={setGiven} />
      <button type="submit" disabled={action.isBusy || (!recipe && !model)}>
        {texts.submit}
      </button>
      <Words words={action.words} />
    </form>
  );
}

interface ChoiceProps {
  readonly names: readonly string[];
  readonly value: string;
  onChange(value: string): void;
}

const Choice = ({ names, value, onChange }: ChoiceProps) => (
  <select value={value} onChange={({ target }) => onChange(target.value)}>
    <option value="">{texts.asBefore}</option>
    {names.map((name) => (
      <option key={name}>{name}</option>
    ))}
  </select>
);
