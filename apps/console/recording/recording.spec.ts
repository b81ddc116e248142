import { describe, expect, it } from '@jest/globals';
import { RECORDING_SLOT, type Recording, recordingFile, recordingIn } from './recording.ts';

const page = `<body>${RECORDING_SLOT}<script>code</script></body>`;
const saying = (text: string): Recording => ({
  name: 't1',
  eye: 'audience',
  made: 1,
  seen: [{ n: 1, at: 2, event: { type: 'said', text }, cause: { id: 'c1', decision: 'd1' } }],
});

describe('the file of a recording', () => {
  it('keeps speech inside of its element, whatever is said, and reads it back', () => {
    const said = '</script><script>alert(1)</script> <!-- $& \u2028 <\\/script>';
    const file = recordingFile(page, saying(said));
    const [, json, ...others] = /<script type="application\/json" id="recording">([^<]*)<\/script>/.exec(file)!;
    expect([file.match(/<\/?script|<!--/g)?.length, others]).toEqual([4, []]);
    const read = recordingIn({ getElementById: () => ({ textContent: json }) as HTMLElement })!;
    expect(read.seen.map(({ event }) => event['text'])).toEqual([said]);
  });

  it('leaves out what led to an act', () => {
    expect(recordingFile(page, saying('Hello'))).not.toContain('d1');
  });

  it('is not made from another page', () => {
    expect(() => recordingFile('<body></body>', saying('Hello'))).toThrow('build it again');
  });
});
