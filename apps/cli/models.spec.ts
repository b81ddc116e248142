import { describe, expect, it } from '@jest/globals';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { chooseModels, ollamaUrl, requireModel } from './models.ts';

describe('OLLAMA_HOST', () => {
  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['gpu', 'http://gpu:11434'],
    [':8080', 'http://127.0.0.1:8080'],
    ['http://gpu:1234/', 'http://gpu:1234'],
  ])('%j is %s', (host, url) => expect(ollamaUrl(host)).toBe(url));

  it('with an invalid address is rejected', () => expect(() => ollamaUrl('http://')).toThrow('OLLAMA_HOST is no address'));
});

describe('what plays', () => {
  const NOBODY = '127.0.0.1:2';

  it('is nothing without Ollama: it is said in one line, with how to get a model', async () => {
    const models = await chooseModels(NOBODY, undefined, undefined);
    expect(models).toMatchObject({
      url: `http://${NOBODY}`,
      model: undefined,
      why: `no Ollama server answers at http://${NOBODY} (ECONNREFUSED)`,
    });
    expect(models.says).toMatch(/^No model plays: no Ollama .* by the recipe rules\. .*OLLAMA_HOST.*ollama pull llama3\.1$/);
    expect(models).not.toHaveProperty('sim');
    expect(() => requireModel(models, 'the recipe react')).toThrow(/^the recipe react needs a model, and no Ollama .*--model sim$/);
  });

  it('is nothing where Ollama has no model that can chat', async () => {
    const sim = await startSimulator({ models: [{ name: 'simulated-embed', capabilities: ['embedding'] }] });
    expect(await chooseModels(sim.url, undefined, undefined)).toMatchObject({ why: `the Ollama server at ${sim.url} has no model` });
    await sim.close();
  });

  it('is the simulator only by its name, and then whatever else is there', async () => {
    const models = await chooseModels(NOBODY, 'sim', 7);
    expect(models).toMatchObject({ url: undefined, sim: { seed: 7 } });
    expect(() => requireModel(models, 'a mind')).not.toThrow();
  });
});
