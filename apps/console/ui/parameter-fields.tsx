import type { Parameter } from '../api/shapes.ts';
import { en, fill } from '../text/en.ts';
import styles from './ui.module.css';

interface Props {
  readonly parameters: readonly Parameter[];
  /** As typed; empty: the usual value. */
  readonly given: { readonly [name: string]: string } | undefined;
  /** Whose mind it is, for those who hear the names of the fields. */
  readonly whose?: string;
  onChange(given: { readonly [name: string]: string }): void;
}

/** The parameters of a recipe, as it describes them; nothing where it has none. */
export function ParameterFields({ parameters, given = {}, whose, onChange }: Props) {
  if (!parameters.length) return null;
  return (
    <details className={styles['parameters']}>
      <summary>{en.open.parameters}</summary>
      <div className={styles['columns']}>
        {parameters.map((parameter) => (
          <label key={parameter.name} className={styles['field']}>
            <span>{parameter.name}</span>
            <ParameterInput
              parameter={parameter}
              label={whose === undefined ? parameter.name : `${whose}: ${parameter.name}`}
              value={given[parameter.name] ?? ''}
              onChange={(value) => onChange({ ...given, [parameter.name]: value })}
            />
            <small>{parameter.about}</small>
          </label>
        ))}
      </div>
    </details>
  );
}

interface InputProps {
  readonly parameter: Parameter;
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}

function ParameterInput({ parameter: { type, default: usual, unit, minimum, maximum, options }, label, value, onChange }: InputProps) {
  const range = minimum === undefined || maximum === undefined ? '' : ` (${minimum} to ${maximum})`;
  const hint = fill(en.open.usual, { value: `${usual}${unit === undefined ? '' : ` ${unit}`}${range}` });
  const names = type === 'boolean' ? ['true', 'false'] : options;
  if (!names) return <input aria-label={label} placeholder={hint} value={value} onChange={({ target }) => onChange(target.value)} />;
  return (
    <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{hint}</option>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}
