import { describe, expect, it } from '@jest/globals';
import { thinkingSplitter } from './thinking-tags.ts';

/** What comes of a text in these pieces, each part as a whole. */
function parted(pieces: readonly string[]) {
  const one = thinkingSplitter();
  const told = [...pieces.map((piece) => one.push(piece)), one.flush()];
  return { content: told.map(({ content }) => content).join(''), thinking: told.map(({ thinking }) => thinking).join('') };
}

describe('thoughts in front of an answer', () => {
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
  ])('are parted from it in %j, wherever it is cut', (text, content, thinking) => {
    expect(parted([text])).toEqual({ content, thinking });
    expect(parted([...text])).toEqual({ content, thinking });
    for (let at = 0; at <= text.length; at++)
      for (let to = at; to <= text.length; to++)
        expect(parted([text.slice(0, at), text.slice(at, to), text.slice(to)])).toEqual({ content, thinking });
  });

  it('do not stand behind more white space than anybody would wait for', () => {
    const [most, more] = [1_000, 1_001].map((count) => `${' '.repeat(count)}<think>a</think>b`) as [string, string];
    for (const how of [(text: string) => [text], (text: string) => [...text]]) {
      expect(parted(how(most))).toEqual({ content: 'b', thinking: 'a' });
      expect(parted(how(more))).toEqual({ content: more, thinking: '' });
    }
  });

  it('hold back no more than may be a part of a mark', () => {
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
