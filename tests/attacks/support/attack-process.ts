import { setPriority } from 'node:os';
import * as E from 'fp-ts/lib/Either.js';
import { attacks } from '../attacks.js';
import { Target, sceneAt } from './scene.js';

/* One attack in a process of its own, with a lower priority than the service. Prints the outcome as a line of JSON, then
 * keeps its connections until it is killed. */

const [name, given = ''] = process.argv.slice(2);
const attack = attacks.find((one) => one.name === name);
const place = Target.decode(JSON.parse(given));
if (attack === undefined || E.isLeft(place)) throw new Error(`no attack ${name}`);

setPriority(10);
process.on('uncaughtException', (error) => {
  process.stderr.write(`${name}: ${error.stack}\n`);
});
const { scene, outcome } = sceneAt(place.right);
try {
  await attack.run(scene);
} catch (error) {
  scene.fault(
    error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 2).join(' ') : String(error),
  );
}
process.stdout.write(`${JSON.stringify(outcome())}\n`);
process.stdin.resume();
