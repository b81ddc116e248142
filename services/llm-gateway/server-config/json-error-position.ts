const STRING = String.raw`"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*"`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;

/** How many characters of a text are a valid beginning of JSON (RFC 8259). `JSON.parse` does not always say. */
export function validJsonLength(text: string): number {
  let at = 0;
  const take = (token: string): boolean => {
    const pattern = new RegExp(token, 'y');
    pattern.lastIndex = at;
    const [taken] = pattern.exec(text) ?? [];
    at += taken?.length ?? 0;
    return taken !== undefined;
  };
  const space = (): boolean => take(String.raw`[ \t\r\n]*`);
  const name = (): boolean => space() && take(STRING) && space() && take(':');

  function members(end: string, member: () => boolean): boolean {
    if (space() && take(end)) return true;
    do if (!member()) return false;
    while (space() && take(','));
    return take(end);
  }
  function value(): boolean {
    space();
    if (take(String.raw`\{`)) return members(String.raw`\}`, () => name() && value());
    if (take(String.raw`\[`)) return members(String.raw`\]`, value);
    return take(STRING) || take('true|false|null') || take(NUMBER);
  }

  if (value()) space();
  return at;
}
