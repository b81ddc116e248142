import type { Option } from '@maw/games/kernel/options.ts';
import { en, fill } from '../text/en.ts';
import styles from '../ui/ui.module.css';
import { usualOf } from './terms.ts';

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
        {Object.entries(options).map(([name, option]) => (
          <label key={name} className={styles['field']}>
            <span>{name}</span>
            <OptionInput
              option={option}
              value={given[name] ?? ''}
              usual={usualOf(options, name, given, isForPeople)}
              onChange={(value) => onChange({ ...given, [name]: value })}
            />
            <small>{option.says}</small>
          </label>
        ))}
      </div>
    </details>
  );
}

interface InputProps {
  readonly option: Option;
  readonly value: string;
  readonly usual: string;
  onChange(value: string): void;
}

function OptionInput({ option, value, usual, onChange }: InputProps) {
  const hint = fill(en.open.usual, { value: usual });
  if (option.kind === 'switch' || option.kind === 'choice') {
    const values = option.kind === 'switch' ? ['true', 'false'] : option.of;
    const shown = (each: string): string => (option.kind === 'choice' ? each : each === 'true' ? en.open.on : en.open.off);
    return (
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{fill(en.open.usual, { value: shown(usual) })}</option>
        {values.map((each) => (
          <option key={each} value={each}>
            {shown(each)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      type={option.kind === 'whole' ? 'number' : 'text'}
      {...(option.kind === 'whole' ? { min: option.least, max: option.most } : {})}
      placeholder={hint}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
