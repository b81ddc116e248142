interface Props {
  readonly heads: readonly string[];
  /** Whether a column without a head follows, for buttons. */
  readonly hasActions?: boolean;
}

/** The heads of a table's columns. */
export const TableHead = ({ heads, hasActions = false }: Props) => (
  <thead>
    <tr>
      {heads.map((head) => (
        <th key={head} scope="col">
          {head}
        </th>
      ))}
      {hasActions && <td />}
    </tr>
  </thead>
);
