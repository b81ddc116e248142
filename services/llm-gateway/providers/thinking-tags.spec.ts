import { describe, expect, it } from '@jest/globals';
import { thinkingSplitter } from './thinking-tags.ts';

/** The content and thinking of a text that arrives in these pieces. */
function split(pieces: readonly string[]) {
  const one = thinkingSplitter();
  const parts = [...pieces.map((piece) => one.push(piece)), one.flush()];
  return { content: parts.map(({ content }) => content).join(''), thinking: parts.map(({ thinking }) => thinking).join('') };
}

describe('thinkingSplitter', () => {
  it.each([
    ['<think>a wolf</think>Ada', 'Ada', 'a wolf'],
    ['\n <think>\na wolf\n</think>\n\nAda \n', 'Ada \n', '\na wolf\n'],
    ['<think></think>Ada', 'Ada', ''],
    ['<think>a < b, a </ b, </thin, </think', '', 'a < b, a </ b, </thin, </think'],
    ['<think>a<</think>b</think>c', 'b</think>c', 'a<'],
    ['<think>no end', '', 'no end'],
    ['<think>a</think><think>b</think>c', '<think>b</think>c', 'a'],
    ['<thin', '<thin', ''],
    ['<thinker>a</thinker>', '<thinker>a</thinker>', ''],
    [' \n Ada <think>a</think>', ' \n Ada <think>a</think>', ''],
    ['Ada', 'Ada', ''],
    ['  ', '  ', ''],
    [`${' '.repeat(30)}<think>a</think>`, '', 'a'],
    ['', '', ''],
  ])('splits %j into answer and thinking at every chunk boundary', (text, content, thinking) => {
    expect(split([text])).toEqual({ content, thinking });
    expect(split([...text])).toEqual({ content, thinking });
    for (let at = 0; at <= text.length; at++)
      for (let to = at; to <= text.length; to++)
        expect(split([text.slice(0, at), text.slice(at, to), text.slice(to)])).toEqual({ content, thinking });
  });

  it('ignores a tag behind more than 1,000 white-space characters', () => {
    const [most, more] = [1_000, 1_001].map((count) => `${' '.repeat(count)}<think>a</think>b`) as [string, string];
    for (const how of [(text: string) => [text], (text: string) => [...text]]) {
      expect(split(how(most))).toEqual({ content: 'b', thinking: 'a' });
      expect(split(how(more))).toEqual({ content: more, thinking: '' });
    }
  });

  it('holds back only what may be part of a tag', () => {
    const one = thinkingSplitter();
    expect(['<thi', 'nk>a wo', 'lf</', 'b</think', '>  ', 'A', 'da', '<'].map((piece) => one.push(piece))).toEqual([
      { content: '', thinking: '' },
      { content: '', thinking: 'a wo' },
      { content: '', thinking: 'lf' },
      { content: '', thinking: '</b' },
      { content: '', thinking: '' },
      { content: 'A', thinking: '' },
      { content: 'da', thinking: '' },
      { content: '<', thinking: '' },
    ]);
    expect(thinkingSplitter().push('Hi')).toEqual({ content: 'Hi', thinking: '' });
  });
});
