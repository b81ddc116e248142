import type { RecipeInfo, SeatPlan } from '../api/shapes.ts';
import { en, fill } from '../text/en.ts';
import styles from '../ui/ui.module.css';
import { MIND, PERSON } from './terms.ts';

interface Props {
  readonly seats: readonly SeatPlan[];
  readonly recipes: readonly RecipeInfo[];
  readonly models: readonly string[];
  onChange(seats: readonly SeatPlan[]): void;
}

/** Who is to sit where: people, or minds by recipe and model. */
export function SeatFields({ seats, recipes, models, onChange }: Props) {
  const change = (seat: number, plan: SeatPlan): void => onChange(seats.map((each, i) => (i === seat ? plan : each)));
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
  readonly plan: SeatPlan;
  onChange(plan: SeatPlan): void;
}

function MindFields({ label, plan, recipes, models, onChange }: MindProps) {
  return (
    <>
      <Named
        label={`${label}: ${en.open.recipe}`}
        usual={en.open.anyRecipe}
        names={recipes.map(({ name }) => name)}
        value={plan.recipe}
        onChange={(recipe) => onChange(withNamed(plan, 'recipe', recipe))}
      />
      <Named
        label={`${label}: ${en.open.model}`}
        usual={en.open.anyModel}
        names={models}
        value={plan.model}
        onChange={(model) => onChange(withNamed(plan, 'model', model))}
      />
    </>
  );
}

/** The plan of all minds, where it is the same for all. */
function commonPlan(seats: readonly SeatPlan[]): SeatPlan {
  const minds = seats.filter(({ kind }) => kind === 'mind');
  const isSame = minds.every(({ recipe, model }) => recipe === minds[0]?.recipe && model === minds[0]?.model);
  return (isSame && minds[0]) || MIND;
}

function withNamed(plan: SeatPlan, field: 'recipe' | 'model', value: string): SeatPlan {
  const { [field]: _, ...rest } = plan;
  return value ? { ...rest, [field]: value } : rest;
}

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
