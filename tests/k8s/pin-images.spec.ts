import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { pinImages } from '../../infra/k8s/pin-images.ts';
import { parseAllDocuments } from 'yaml';
import { type Resource, walk } from './kustomize.ts';
import { overlays, rendered } from './manifests.ts';

const DIGEST = `sha256:${'ab'.repeat(32)}`;
const MAW = 'registry.example.org/maw:0.1.0';
const imagesIn = (from: unknown): readonly string[] => {
  const found: string[] = [];
  walk(from, (key, value) => {
    if (['image', 'imageName'].includes(key)) found.push(String(value));
  });
  return found;
};

describe('the manifests of a release', () => {
  it.each(overlays)('name every image of the overlay %s by tag and digest, and are otherwise the same', async (name) => {
    const text = rendered[name].map((each) => stringify(each, { lineWidth: 0 })).join('---\n');
    const asked: string[] = [];
    const lookUp = async (image: string): Promise<string> => {
      asked.push(image);
      return `sha256:${String(asked.length).repeat(64)}`;
    };
    const released = `ghcr.io/example/maw:1.2.3@${DIGEST}`;
    const pinned = await pinImages(text, new Map([[MAW, released]]), lookUp);
    const read = parseAllDocuments(pinned).map((each) => each.toJS() as Resource);
    expect(imagesIn(read).filter((image) => !/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
    expect(imagesIn(read)).toEqual(
      imagesIn(rendered[name]).map((image) =>
        image === MAW ? released : `${image}@sha256:${String(asked.indexOf(image) + 1).repeat(64)}`,
      ),
    );
    expect(new Set(asked).size).toBe(asked.length); // each is asked for once, and ours is known
    const tagged = read.map((each) =>
      JSON.stringify(each)
        .replaceAll(released, MAW)
        .replaceAll(/@sha256:[0-9a-f]{64}/g, ''),
    );
    expect(tagged).toEqual(rendered[name].map((each) => JSON.stringify(each)));
  });

  it('are not written where a digest is none, or an image that is to be replaced is not there', async () => {
    const text = 'spec:\n  containers:\n    - image: a:1\n';
    await expect(pinImages(text, new Map(), async () => '')).rejects.toThrow('a:1: "" is no digest');
    await expect(pinImages(text, new Map([['b:1', 'c:1']]), async () => DIGEST)).rejects.toThrow('no manifest names b:1');
    expect(await pinImages(text, new Map(), async () => DIGEST)).toBe(`spec:\n  containers:\n    - image: a:1@${DIGEST}\n`);
  });
});
