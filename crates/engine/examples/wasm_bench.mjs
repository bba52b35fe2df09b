// wasm against native: node crates/engine/examples/wasm_bench.mjs [rounds]
//
// Builds the benchmark's models for wasm32 and natively (release both), runs them in alternation
// (a native round, a wasm round, ...), compares the digests and prints the ratio of speeds: medians
// of M events a CPU second. A MISS is a report, not a failure; different digests are a failure.
// The wasm32 standard library must be there: `cargo xtask setup std` says how.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const EVENTS = 1_000_000;
const LEAST = { LOCK: [0.6, 0.75], HOLD: [0.8, null] };
const rounds = Number(process.argv[2] ?? 9);

/** The path of what a cargo command built, as its messages give it. */
function built(args, ending) {
  const options = { encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "inherit"] };
  const text = execFileSync("cargo", [...args, "--quiet", "--message-format=json"], options);
  const messages = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const files = messages.flatMap((m) => [m.executable, ...(m.filenames ?? [])]).filter(Boolean);
  return files.filter((file) => file.endsWith(ending)).pop();
}

const crate = ["-p", "reclaimscope-engine"];
const wasmTarget = ["--release", "--target", "wasm32-unknown-unknown"];
const module = built(["build", ...crate, ...wasmTarget, "--example", "wasm_bench"], ".wasm");
const native = built(["bench", ...crate, "--bench", "queue", "--no-run"], "");

const { instance } = await WebAssembly.instantiate(readFileSync(module));
const { prepare, run } = instance.exports;

const hex = (digest) => BigInt.asUintN(64, digest).toString(16).padStart(16, "0");
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Microseconds that this process has been on a CPU. */
function cpu() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** One timed run of a case in wasm: nanoseconds and digest. */
function wasmRun(number) {
  if (!prepare(number)) throw new Error(`The module has no case ${number}.`);
  run(BigInt(EVENTS / 4));
  const before = cpu();
  const digest = run(BigInt(EVENTS));
  return { nanos: (cpu() - before) * 1_000, digest: hex(digest) };
}

const cases = [];
for (let round = 0; round < rounds; round += 1) {
  const lines = execFileSync(native, ["--raw"], { encoding: "utf8" }).trim().split("\n");
  lines.forEach((line, number) => {
    const [name, digest, nanos] = line.split("\t");
    const wasm = wasmRun(number);
    if (wasm.digest !== digest) {
      throw new Error(`${name}: digest ${wasm.digest} in wasm, ${digest} natively.`);
    }
    cases[number] ??= { name, native: [], wasm: [] };
    cases[number].native.push(Number(nanos));
    cases[number].wasm.push(wasm.nanos);
  });
}

console.log(`M events/s (median of ${rounds})    native     wasm   ratio`);
for (const { name, native, wasm } of cases) {
  const [least, stretch] = LEAST[name.slice(0, 4)];
  const ratio = median(native.map((nanos, round) => nanos / wasm[round]));
  const speed = (nanos) => ((EVENTS * 1e3) / median(nanos)).toFixed(1).padStart(9);
  const passed = stretch && ratio >= stretch ? "PASS, stretch too" : "PASS";
  const verdict = ratio >= least ? passed : "MISS";
  const asked = `at least ${least}${stretch ? ` (stretch ${stretch})` : ""}`;
  const numbers = speed(native) + speed(wasm) + ratio.toFixed(2).padStart(8);
  console.log(`${name.padEnd(27)}${numbers}  ${asked}: ${verdict}`);
}
