/** The source of a regular expression that matches a name as a whole word. */
export const namePattern = (name: string): string => wordPattern(escapePattern(name));
export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** The same for a pattern. */
export const wordPattern = (pattern: string): string => `(?<![\\p{L}\\p{N}_-])${pattern}(?![\\p{L}\\p{N}_-])`;
