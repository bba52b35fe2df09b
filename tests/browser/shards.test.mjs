// The examples of docs/sweeps.md for job schedulers, run as they stand there: Slurm's script and Kubernetes'
// command by a shell with the variables that these set, GNU parallel by itself where it is installed, else by a loop
// that does what the example asks of it. All three are the same parts of one grid and merge to one run, byte for
// byte. Windows are shorter and replications fewer than there; nothing else differs.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const PARTS = 16;
const cli = process.env.RECLAIMSCOPE_CLI;
assert.ok(cli, 'RECLAIMSCOPE_CLI is not set; run these tests through: cargo xtask test browser');

const run = promisify(execFile);
const page = await readFile(new URL('../../docs/sweeps.md', import.meta.url), 'utf8');

/** The first block of code under a heading. */
function block(heading) {
  const behind = page.split(`### ${heading}\n`)[1];
  assert.ok(behind, `docs/sweeps.md has no part ${heading}`);
  return behind.match(/```[a-z]+\n([^]*?)```/)[1];
}

/** A folder with a `bin` before everything else on the path, whose `reclaimscope` is quick. */
async function bench(t) {
  const folder = await mkdtemp(join(tmpdir(), 'reclaimscope-shards-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'bin'));
  const tool = (name, text) => writeFile(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  // Whatever the example says, but for the replications; and a shorter window.
  await tool(
    'reclaimscope',
    `if [ "$1" = sweep ]; then
  shift
  for word; do
    shift
    [ "$word" = 20 ] && word=1
    set -- "$@" "$word"
  done
  exec '${cli}' sweep "$@" --set duration=500us --set warmup=0s
fi
exec '${cli}' "$@"`,
  );
  const path = `${join(folder, 'bin')}:${process.env.PATH}`;
  const shell = (text, more = {}) => run('sh', ['-c', text], { cwd: folder, env: { ...process.env, PATH: path, ...more } });
  return { folder, shell, tool, path };
}

const merged = async ({ shell, folder }) => {
  await shell('reclaimscope merge part-*.jsonl > whole.jsonl');
  return readFile(join(folder, 'whole.jsonl'), 'utf8');
};
const parts = async ({ folder }) => {
  const names = (await readdir(folder)).filter((name) => name.startsWith('part-'));
  return Promise.all(names.sort().map(async (name) => [name, await readFile(join(folder, name), 'utf8')]));
};

test('the examples for job schedulers run the same parts, which merge to one run byte for byte', async (t) => {
  const whole = await bench(t);
  const grid = block('GNU parallel').match(/reclaimscope sweep (.*?)"/)[1];
  await whole.shell(`reclaimscope sweep ${grid} --out whole.jsonl`);
  const one = await readFile(join(whole.folder, 'whole.jsonl'), 'utf8');
  assert.equal(one.split('\n').length - 1, 1 + 16 * 16, 'a header and 16 x 16 points');

  const slurm = await bench(t);
  const script = block('Slurm');
  assert.match(script, new RegExp(`#SBATCH --array=1-${PARTS}\n`));
  await writeFile(join(slurm.folder, 'job.sh'), script);
  for (let id = 1; id <= PARTS; id += 1) {
    const env = { SLURM_ARRAY_TASK_ID: String(id), SLURM_CPUS_PER_TASK: '1' };
    if (id === 3) {
      // A task that is killed and put back into the queue.
      const job = spawn('sh', ['job.sh'], { cwd: slurm.folder, env: { ...process.env, PATH: slurm.path, ...env }, detached: true });
      await new Promise((next) => setTimeout(next, 40));
      if (job.exitCode === null) process.kill(-job.pid, 'SIGKILL');
      await new Promise((next) => (job.exitCode === null && job.signalCode === null ? job.on('exit', next) : next()));
    }
    await slurm.shell('sh job.sh', env);
  }

  const pods = await bench(t);
  const yaml = block('Kubernetes');
  assert.match(yaml, new RegExp(`completionMode: Indexed\n  completions: ${PARTS}\n`));
  const command = yaml.match(/args:\n\s+- >-\n([^]*?)\n\s+resources:/)[1];
  const words = command.trim().replaceAll(/\s+/g, ' ').replaceAll('/results/', './');
  for (let index = 0; index < PARTS; index += 1) await pods.shell(words, { JOB_COMPLETION_INDEX: String(index) });

  const parallel = await bench(t);
  const isHere = await run('sh', ['-c', 'command -v parallel']).then(() => true, () => false);
  if (!isHere) {
    t.diagnostic('GNU parallel is not installed here: a loop runs its example');
    // Reads a number a line and runs the command with it in the place of {}, four at once.
    await parallel.tool(
      'parallel',
      `[ "$1 $2" = '-j 4' ] || exit 2
n=0
while read -r number; do
  sh -c "$(printf '%s' "$3" | sed "s/{}/$number/g")" &
  n=$((n + 1))
  [ $((n % 4)) = 0 ] && wait
done
wait`,
    );
  }
  // Its last line merges.
  await parallel.shell(block('GNU parallel'), { RAYON_NUM_THREADS: '1' });

  const all = await Promise.all([slurm, pods, parallel].map(parts));
  assert.equal(all[0].length, PARTS);
  assert.deepEqual(all[1], all[0], 'Kubernetes runs the parts of Slurm');
  assert.deepEqual(all[2], all[0], 'GNU parallel runs the parts of Slurm');
  for (const place of [slurm, pods]) assert.equal(await merged(place), one);
  assert.equal(await readFile(join(parallel.folder, 'whole.jsonl'), 'utf8'), one);
});
