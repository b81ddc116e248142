import { en } from '../text/en.ts';

/** A choice of one game, or of every game: empty. */
export const RulesChoice = ({ value, onChange }: { readonly value: string; onChange(value: string): void }) => (
  <select aria-label={en.lobby.rules} value={value} onChange={({ target }) => onChange(target.value)}>
    <option value="">{en.lobby.anyRules}</option>
    {Object.entries(en.games).map(([rules, name]) => (
      <option key={rules} value={rules}>
        {name}
      </option>
    ))}
  </select>
);
