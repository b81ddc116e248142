import type { RecipeInfo } from '../api/shapes.ts';
import { en, fill } from '../text/en.ts';
import { ParameterFields } from '../ui/parameter-fields.tsx';
import styles from '../ui/ui.module.css';
import { MIND, PERSON, type SeatDraft } from './terms.ts';

interface Props {
  readonly seats: readonly SeatDraft[];
  readonly recipes: readonly RecipeInfo[];
  readonly models: readonly string[];
  onChange(seats: readonly SeatDraft[]): void;
}

/** Who is to sit where: people, or minds by recipe and model. */
export function SeatFields({ seats, recipes, models, onChange }: Props) {
  const change = (seat: number, plan: SeatDraft): void => onChange(seats.map((each, i) => (i === seat ? plan : each)));
  return (
    <fieldset>
      <legend>{en.open.seats}</legend>
      <ol className={styles['seats']}>
        <li>
          <span>{en.open.allMinds}</span>
          <MindFields
            label={en.open.allMinds}
            plan={commonPlan(seats)}
            recipes={recipes}
            models={models}
            onChange={(plan) => onChange(seats.map((each) => (each.kind === 'mind' ? plan : each)))}
          />
        </li>
        {seats.map((plan, seat) => {
          const label = fill(en.open.seat, { number: seat + 1 });
          return (
            // oxlint-disable-next-line react/no-array-index-key -- a seat is its number
            <li key={seat}>
              <span>{label}</span>
              <select
                aria-label={label}
                value={plan.kind}
                onChange={({ target }) => change(seat, target.value === 'person' ? PERSON : MIND)}
              >
                <option value="mind">{en.open.mind}</option>
                <option value="person">{en.open.person}</option>
              </select>
              {plan.kind === 'mind' && (
                <MindFields label={label} plan={plan} recipes={recipes} models={models} onChange={(to) => change(seat, to)} />
              )}
            </li>
          );
        })}
      </ol>
    </fieldset>
  );
}

interface MindProps extends Pick<Props, 'recipes' | 'models'> {
  readonly label: string;
  readonly plan: SeatDraft;
  onChange(plan: SeatDraft): void;
}

function MindFields({ label, plan, recipes, models, onChange }: MindProps) {
  return (
    <>
      <Named
        label={`${label}: ${en.open.recipe}`}
        usual={en.open.anyRecipe}
        names={recipes.map(({ name }) => name)}
        value={plan.recipe}
        onChange={(recipe) => onChange(withNamed(without(plan, 'given'), 'recipe', recipe))}
      />
      <Named
        label={`${label}: ${en.open.model}`}
        usual={en.open.anyModel}
        names={models}
        value={plan.model}
        onChange={(model) => onChange(withNamed(plan, 'model', model))}
      />
      <ParameterFields
        parameters={recipes.find(({ name }) => name === plan.recipe)?.parameters ?? []}
        given={plan.given}
        whose={label}
        onChange={(given) => onChange({ ...plan, given })}
      />
    </>
  );
}

/** The plan of all minds, where it is the same for all. */
function commonPlan(seats: readonly SeatDraft[]): SeatDraft {
  const minds = seats.filter(({ kind }) => kind === 'mind');
  const isSame = minds.every((mind) => JSON.stringify(mind) === JSON.stringify(minds[0]));
  return (isSame && minds[0]) || MIND;
}

function without(plan: SeatDraft, field: keyof Omit<SeatDraft, 'kind'>): SeatDraft {
  const { [field]: _, ...rest } = plan;
  return rest;
}

const withNamed = (plan: SeatDraft, field: 'recipe' | 'model', value: string): SeatDraft =>
  value ? { ...plan, [field]: value } : without(plan, field);

function Named(props: {
  readonly label: string;
  readonly usual: string;
  readonly names: readonly string[];
  readonly value: string | undefined;
  onChange(value: string): void;
}) {
  const { label, usual, names, value, onChange } = props;
  return (
    <select aria-label={label} value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
      <option value="">{usual}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
