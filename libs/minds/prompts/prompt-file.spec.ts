import { describe, expect, it } from '@jest/globals';
import { fillPrompt, parsePrompt } from './prompt-file.ts';

const noFile = (path: string): string => {
  throw new Error(`there is no file ${path}`);
};

describe('prompt files', () => {
  it('are filled; empty holes take their line, their part and their message with them', () => {
    const base = '<!-- shared\n by all -->\n# system\n{{rules}}\n';
    const prompt = parsePrompt('a.md', '# include base.md\n# messages log\n# user\n{{empty}}\n{{#plan}}Plan: {{plan}}\n{{/plan}}Go, {{name}}.\n# user\n{{empty}}', () => base); // prettier-ignore
    const fill = (plan: string) =>
      fillPrompt(
        prompt,
        (hole) => ({ rules: 'R', log: [{ role: 'assistant' as const, content: 'hi' }], empty: '', plan, name: '{{rules}}' })[hole],
      );
    expect(fill('win')).toEqual([
      { role: 'system', content: 'R' },
      { role: 'assistant', content: 'hi' },
      { role: 'user', content: 'Plan: win\nGo, {{rules}}.' },
    ]);
    expect(fill('').at(-1)).toEqual({ role: 'user', content: 'Go, {{rules}}.' });
    expect(() => fillPrompt(prompt, () => undefined)).toThrow('a.md: nothing fills {{rules}}');
  });

  it('are refused with the line of the mistake', () => {
    const parse = (text: string) => () => parsePrompt('a.md', text, noFile);
    expect(parse('\nHello')).toThrow('a.md:2: begin a message first');
    expect(parse('# include')).toThrow('a.md:1: "# include" wants a name');
    expect(parse('# user\n{{a b}}')).toThrow('a.md: "{{a b}}" is not a hole');
    expect(parse('# user\n{{#a}}x')).toThrow('a.md: {{#a}} has no {{/a}}');
    expect(parse('')).toThrow('a.md: it has no message');
    expect(() => parsePrompt('a.md', '# include a.md', () => '# include a.md')).toThrow('a.md: it includes itself');
  });
});
