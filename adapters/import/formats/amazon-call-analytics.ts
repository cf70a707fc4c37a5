import * as t from 'io-ts';
import type { SpeakerRole } from '../../../domain/kernel/media.js';
import { Milliseconds } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { refuse } from '../imported.js';
import { decodeDocument, refuseDuplicates, valueAt } from '../json.js';

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

/**
 * Amazon Transcribe Call Analytics: turns of an agent and a customer, times in milliseconds
 * (docs.aws.amazon.com/transcribe, "Post-call analytics output").
 */
export const amazonCallAnalytics: JsonFormat = {
  name: 'amazon_call_analytics',
  reads: 'json',
  recognises: (json) => Array.isArray(valueAt(json, 'Transcript')),
  read: (json) => {
    const { Transcript, JobName, JobStatus = 'COMPLETED' } = decodeDocument(CallAnalytics, json);
    if (JobStatus !== 'COMPLETED') refuse('JobStatus', `the job is ${JSON.stringify(JobStatus)}, not "COMPLETED"`);
    refuseDuplicates(
      Transcript,
      ({ Id, BeginOffsetMillis, ParticipantRole }) => Id ?? `${ParticipantRole} ${BeginOffsetMillis}`,
      (index) => `Transcript[${index}].Id`,
    );
    const spoken = Transcript.map(({ ParticipantRole, BeginOffsetMillis, EndOffsetMillis, Content }, index) => ({
      speaker: ParticipantRole,
      start: BeginOffsetMillis,
      end: EndOffsetMillis,
      text: Content,
      place: `Transcript[${index}]`,
    }));
    return { recording: JobName, rows: spoken.length, speech: { grain: 'utterance', spoken, roles } };
  },
};
