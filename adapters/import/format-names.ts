/*
 * Only the names of formats, without their readers: the service checks names before it starts a process that reads
 * documents, and it starts faster without the readers.
 */

/** All supported formats. */
export const importFormats = [
  'rttm',
  'ava_csv',
  'asw_json',
  'webvtt',
  'zoom_vtt',
  'srt',
  'sbv',
  'ass',
  'ttml',
  'youtube_json3',
  'teams_docx',
  'text_transcript',
  'stm',
  'ctm',
  'praat_textgrid',
  'mot',
  'cvat',
  'recall',
  'pyannote_json',
  'amazon_transcribe',
  'amazon_call_analytics',
  'amazon_data_automation',
  'amazon_rekognition_faces',
  'amazon_rekognition_search',
  'azure_video_indexer',
  'google_video_faces',
  'deepgram',
  'rev',
  'assemblyai',
  'speechmatics',
  'google_speech',
  'azure_speech',
  'elevenlabs',
  'ibm_watson',
  'vosk',
  'bbc_kaldi',
  'whisperx',
  'whisper_cpp',
  'whisper_chunks',
  'elan',
  'clova_speech',
  'gladia',
  'soniox',
  'mistral',
] as const;
export type FormatName = (typeof importFormats)[number];

/** Formats of transcripts that come with a recording, from people or a meeting platform instead of a speech recogniser. */
const supplied: ReadonlySet<FormatName> = new Set<FormatName>([
  'webvtt',
  'zoom_vtt',
  'srt',
  'sbv',
  'ass',
  'ttml',
  'teams_docx',
  'text_transcript',
]);

/** Whether a transcript of this format is provider-supplied by default. */
export const isSupplied = (format: FormatName): boolean => supplied.has(format);
