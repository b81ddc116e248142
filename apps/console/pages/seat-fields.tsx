import type { RecipeInfo } from '../api/shapes.ts';
import { en, fill } from '../text/en.ts';
import { ParameterFields } from '../ui/parameter-fields.tsx';
import styles from '../ui/ui.module.css';
import { commonPlan, MIND, PERSON, type SeatDraft } from './terms.ts';

interface Props {
  readonly seats: readonly SeatDraft[];
  readonly recipes: readonly RecipeInfo[];
  readonly models: readonly string[];
  onChange(seats: readonly SeatDraft[]): void;
}

/** Who is to sit where: one choice for all minds and, folded, each seat for itself. */
export function SeatFields({ seats, recipes, models, onChange }: Props) {
  const change = (seat: number, plan: SeatDraft): void => onChange(seats.map((each, i) => (i === seat ? plan : each)));
  const common = commonPlan(seats);
  const chosen = recipes.find(({ name }) => name === common?.recipe);
  return (
    <fieldset className={styles['seats']}>
      <legend>{en.open.seats}</legend>
      {seats.some(({ kind }) => kind === 'mind') && (
        <div className={styles['seat']}>
          <span>{en.open.allMinds}</span>
          <MindFields
            label={en.open.allMinds}
            plan={common}
            recipes={recipes}
            models={models}
            onChange={(plan) => onChange(seats.map((each) => (each.kind === 'mind' ? plan : each)))}
          />
          {chosen && <small>{`${chosen.about} ${fill(en.open.costs, { cost: costOf(chosen) })}`}</small>}
        </div>
      )}
      <details className={styles['parameters']}>
        <summary>{en.open.bySeat}</summary>
        <ol>
          {seats.map((plan, seat) => {
            const label = fill(en.open.seat, { number: seat + 1 });
            return (
              // oxlint-disable-next-line react/no-array-index-key -- a seat is its number
              <li key={seat} className={styles['seat']}>
                <span>{label}</span>
                <select
                  aria-label={label}
                  value={plan.kind}
                  onChange={({ target }) => change(seat, target.value === 'person' ? PERSON : (common ?? MIND))}
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
      </details>
    </fieldset>
  );
}

interface MindProps extends Pick<Props, 'recipes' | 'models'> {
  readonly label: string;
  /** Undefined: the minds differ. */
  readonly plan: SeatDraft | undefined;
  onChange(plan: SeatDraft): void;
}

function MindFields({ label, plan, recipes, models, onChange }: MindProps) {
  const { recipe: chosen, model, given }: SeatDraft = plan ?? MIND;
  const recipe = recipes.find(({ name }) => name === chosen);
  return (
    <>
      <Named
        label={`${label}: ${en.open.recipe}`}
        usual={plan ? en.open.anyRecipe : en.open.differing}
        names={recipes.map((each) => [each.name, `${each.name}: ${costOf(each)}`])}
        value={chosen}
        onChange={(name) => {
          const asksNone = recipes.some((each) => each.name === name && !each.usesModel);
          onChange({ ...MIND, ...(name && { recipe: name }), ...(model === undefined || asksNone ? {} : { model }) });
        }}
      />
      {recipe?.usesModel !== false && (
        <Named
          label={`${label}: ${en.open.model}`}
          usual={plan ? en.open.anyModel : en.open.differing}
          names={models.map((name) => [name, name])}
          value={model}
          onChange={(name) => onChange(withModel(plan ?? MIND, name))}
        />
      )}
      <ParameterFields
        parameters={recipe?.parameters ?? []}
        given={given}
        whose={label}
        onChange={(to) => onChange({ ...(plan ?? MIND), given: to })}
      />
    </>
  );
}

/** What a decision takes, in few words. */
function costOf({ usesModel, calls }: RecipeInfo): string {
  if (!usesModel) return en.open.noModel;
  return calls === undefined ? en.open.withModel : fill(calls < 1.5 ? en.open.call : en.open.calls, { calls: Math.round(calls) });
}

const withModel = ({ model: _, ...plan }: SeatDraft, model: string): SeatDraft => (model ? { ...plan, model } : plan);

function Named(props: {
  readonly label: string;
  readonly usual: string;
  /** Each with the text that is shown. */
  readonly names: readonly (readonly [string, string])[];
  readonly value: string | undefined;
  onChange(value: string): void;
}) {
  const { label, usual, names, value, onChange } = props;
  return (
    <select aria-label={label} value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
      <option value="">{usual}</option>
      {names.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  );
}
