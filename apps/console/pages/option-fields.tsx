import type { Option } from '@maw/games/kernel/options.ts';
import { en, fill, named } from '../text/en.ts';
import styles from '../ui/ui.module.css';
import { type TimeUnit, timeUnitOf, usualOf } from './terms.ts';

interface Props {
  readonly options: { readonly [name: string]: Option };
  readonly given: { readonly [name: string]: string };
  readonly isForPeople: boolean;
  onChange(options: { readonly [name: string]: string }): void;
}

/** The options of a rule set, as it describes them. What is left empty has its usual value. */
export function OptionFields({ options, given, isForPeople, onChange }: Props) {
  return (
    <details className={styles['options']}>
      <summary>{en.open.options}</summary>
      <div className={styles['columns']}>
        {Object.entries(options).map(([name, option]) => {
          const shownAs = timeUnitOf(option);
          const unit = shownAs?.unit ?? (option.kind === 'whole' ? option.unit : undefined);
          return (
            <label key={name} className={styles['field']} title={name}>
              <span>
                {option.label}
                {unit !== undefined && <small> {fill(en.open.unit, { unit })}</small>}
              </span>
              <OptionInput
                option={option}
                shownAs={shownAs}
                value={given[name] ?? ''}
                usual={usualOf(options, name, given, isForPeople)}
                onChange={(value) => onChange({ ...given, [name]: value })}
              />
              <small className={styles['sentence']}>{option.says}.</small>
            </label>
          );
        })}
      </div>
    </details>
  );
}

interface InputProps {
  readonly option: Option;
  /** The unit in which a time is typed. */
  readonly shownAs: TimeUnit | undefined;
  readonly value: string;
  readonly usual: string;
  onChange(value: string): void;
}

function OptionInput({ option, shownAs, value, usual, onChange }: InputProps) {
  if (option.kind === 'switch' || option.kind === 'choice') {
    const values = option.kind === 'switch' ? ['true', 'false'] : option.of;
    return (
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{fill(en.open.usual, { value: named(en.open.values, usual) })}</option>
        {values.map((each) => (
          <option key={each} value={each}>
            {named(en.open.values, each)}
          </option>
        ))}
      </select>
    );
  }
  const size = shownAs?.size ?? 1;
  const range = option.kind === 'whole' && { type: 'number', min: option.least / size, max: option.most / size, step: shownAs ? 'any' : 1 };
  const usualText = shownAs ? usual.replaceAll(/\d+/g, (count) => String(Number(count) / size)) : usual || en.open.byPlayers;
  return (
    <input
      {...range}
      placeholder={fill(en.open.usual, { value: usualText })}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
