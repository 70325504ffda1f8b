import * as z from 'zod';
import { envelopeOf } from '../shared/http/envelope.ts';
import { nameField } from '../shared/http/name-field.ts';
import { MAX_RETENTION_DAYS } from './domain/data-settings.ts';

/** Requests and responses about a workspace as a whole. */

const retention = z
  .int()
  .min(0)
  .max(MAX_RETENTION_DAYS)
  .describe(
    'Days for which extractions, batches, conversations and runs are kept. 0: nothing is kept of single calls and conversations; ' +
      'results that have to be fetched, of batches and runs, are kept for a day',
  );
const keepNoImages = z
  .boolean()
  .describe('True: uploaded images are deleted once they have been read, and conversations keep no images and files');
const keepImages = z
  .boolean()
  .describe(
    'True: the image of a call that came within it (`image`) is kept for 7 days, for the review of its lines, and deleted with its extraction. ' +
      'Not with keep_no_images, and not where retention_days is below 8. Switched off, those that were kept are deleted within a day',
  );
const maskResidentNumbers = z
  .boolean()
  .describe(
    'True: resident registration numbers are masked (900101-*******) before texts of conversations and knowledge bases are stored',
  );

const requireSecondFactor = z
  .boolean()
  .describe(
    'True: members without a second factor can do nothing but enrol one. Switched on, their sessions end. API keys are not affected',
  );

export const workspaceResult = envelopeOf(
  z
    .object({
      id: z.string(),
      name: z.string(),
      created_at: z.iso.datetime(),
      retention_days: retention,
      keep_no_images: keepNoImages,
      keep_images: keepImages,
      mask_resident_numbers: maskResidentNumbers,
      require_second_factor: requireSecondFactor,
      deletion: z
        .object({
          requested_at: z.iso.datetime(),
          deletes_at: z.iso.datetime().describe('Until then the deletion can be cancelled, and everything works'),
        })
        .nullable()
        .describe('Null: no deletion is requested'),
    })
    .meta({ id: 'Workspace' }),
);

export const workspaceChange = z
  .strictObject({
    name: nameField(100).optional(),
    retention_days: retention.optional(),
    keep_no_images: keepNoImages.optional(),
    keep_images: keepImages.optional(),
    mask_resident_numbers: maskResidentNumbers.optional(),
    require_second_factor: requireSecondFactor.optional(),
  })
  .describe('Members that are absent stay as they are');

export const deletionBody = z.strictObject({
  workspace_name: z.string().max(200).describe('The name of the workspace, as a confirmation'),
});

export const exportResult = envelopeOf(
  z
    .object({
      id: z.string(),
      status: z.enum(['running', 'completed', 'failed']),
      created_at: z.iso.datetime(),
      finished_at: z.iso.datetime().nullable(),
      bytes: z.int().nullable().describe('Of the file'),
      download_url: z
        .string()
        .nullable()
        .describe(
          'Address of the ZIP archive for an hour, once the status is completed: a file of JSON lines for each kind of record',
        ),
    })
    .meta({ id: 'WorkspaceExport' }),
);

export const exportParams = z.object({
  id: z.string().regex(/^exp_[0-9A-HJKMNP-TV-Z]{26}$/, 'must be the id of an export'),
});
