/**
 * Text that the data of many events has in common, the most frequent last: the compression dictionary. Stored data can
 * only be read with it, so it must never be changed.
 */
const fields =
  'suggested previous_named_by previous_role from into called total_tokens previous_deal_person_id roles provider_supplied ' +
  'speech_segments withdraws_block role_by removed renamed merged_into results quote pattern quote_location role_quote ' +
  'role_quote_location role_reason person_id score utterances transcript by audio_revision infer_roles model value_type ' +
  'deal_persons status turns transcript_id matches change_id role_accepted supersedes error changed_since position source ' +
  'analysis_id part first_revision ruled_out index value synthetic tags key previous owner_id speakers previous_name ' +
  'media_url faces talking captions deal_person_id category tracks replaced cause text parts role attribution ' +
  'candidate_run_ids late_write_suspected late reason title target_speaker_ids changes mode video_revision account_id kind';

const change =
  '"changes":[{"face_id":1,"before":{"name":"Face 1","speaker_id":null,"accuracy":null,"personality_traits":null},' +
  '"after":{"name":"Person A","speaker_id":1,"accuracy":0.9,"personality_traits":null},' +
  '"named_by":{"before":"analysis","after":"person"}}],"audio_id":"","video_id":"","run_id":"","at":"2026-01-01T12:00:00.000Z"}';

const piece =
  '{"speaker_id":1,"start":0.5,"end":1.5,"text":" the and you that to I it is of "},{"speaker_id":2,"start":10,"end":12},';

export const commonText = `${fields.replaceAll(/\w+/g, '"$&":')}${piece}${change}`;
