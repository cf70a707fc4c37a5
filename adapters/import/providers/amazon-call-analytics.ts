import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { SpeakerRole } from '../../../domain/kernel/media.js';
import { jsonFormat } from '../document.js';
import { errorIn, refuseDuplicates, valueAt } from '../json-document.js';
import { Milliseconds } from '../times.js';

const Role = t.keyof({ AGENT: null, CUSTOMER: null }, 'AGENT or CUSTOMER');
const Turn = t.intersection([
  t.type({
    ParticipantRole: Role,
    BeginOffsetMillis: Milliseconds,
    EndOffsetMillis: Milliseconds,
    Content: t.string,
  }),
  t.partial({ Id: t.string }),
]);
const CallAnalytics = t.intersection([
  t.type({ Transcript: t.readonlyArray(Turn) }),
  t.partial({ JobName: t.string, JobStatus: t.string }),
]);

const roles: ReadonlyMap<string, SpeakerRole> = new Map([
  ['AGENT', 'agent'],
  ['CUSTOMER', 'customer'],
]);

/** Amazon Transcribe Call Analytics: turns of an agent and a customer, times in milliseconds. */
export const amazonCallAnalytics = jsonFormat(
  (json) => Array.isArray(valueAt(json, 'Transcript')),
  CallAnalytics,
  ({ Transcript, JobName = null, JobStatus = 'COMPLETED' }) => {
    if (JobStatus !== 'COMPLETED')
      return errorIn('JobStatus', `the job is ${JSON.stringify(JobStatus)}, not "COMPLETED"`);
    const single = refuseDuplicates(
      Transcript,
      ({ Id, BeginOffsetMillis, ParticipantRole }) => Id ?? `${ParticipantRole} ${BeginOffsetMillis}`,
      (index) => `Transcript[${index}].Id`,
    );
    if (E.isLeft(single)) return single;
    const spoken = Transcript.map(({ ParticipantRole, BeginOffsetMillis, EndOffsetMillis, Content }, index) => ({
      speaker: ParticipantRole,
      start: BeginOffsetMillis,
      end: EndOffsetMillis,
      text: Content,
      place: `Transcript[${index}]`,
    }));
    return E.right({ recording: JobName, rows: spoken.length, speech: { grain: 'utterance', spoken, roles } });
  },
);
