import { requirePrograms } from './container/requirements.js';
import { Clone } from './documentation/clone.js';
import { readCommandBlocks, runsInClone } from './documentation/command-blocks.js';
import { drill } from './drill.js';

const pages = ['install', 'keys', 'postgresql', 'backup', 'upgrade'].map((name) => `docs/${name}.md`);

drill(
  'the commands of the pages for operators, in order, in a new clone of the repository',
  { timeout: 900_000 },
  async ({ cleanup, tally, skip }) => {
    requirePrograms(skip, ['git', 'psql']);
    const clone = await Clone.start(cleanup);
    await clone.addAnimal();
    tally.acknowledged += 1;
    const blocks = (await Promise.all(pages.map((page) => readCommandBlocks(clone.path(page))))).flat();
    const tested = blocks.filter(runsInClone);
    for (const block of tested) {
      await clone.execute(block).catch((error: Error) => tally.wrong.push(`${block}${error.message}`));
    }
    tally.note(`ran ${tested.length} of ${blocks.length} command blocks in a new clone`);
  },
);
