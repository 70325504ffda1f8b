import { join, relative } from 'node:path';
import { type CfnResource, RemovalPolicy, Stack, Stage } from 'aws-cdk-lib';
import { Architecture, Code, type CodeConfig, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ocrLayerFingerprint } from '../packaging/ocr-layer.ts';
import { ocrLayerAsset, repository } from '../packaging/paths.ts';

/** Native modules and models of the readers; Lambda mounts them at /opt. */
export class OcrLayer extends Construct {
  readonly layer: LayerVersion;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.layer = new LayerVersion(this, 'Layer', {
      description: 'sharp, onnxruntime, pdfium and the recogniser models, linux-arm64',
      code: new LayerBuiltOnDeploy(),
      compatibleArchitectures: [Architecture.ARM_64],
      compatibleRuntimes: [Runtime.NODEJS_24_X],
      // Functions keep the version that they have: Lambda deletes its contents after the last of them.
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}

/**
 * The layer holds packages of another platform than the developer's, so that making it takes a registry. `cdk deploy`
 * makes it when it uploads it; `cdk synth` needs only its fingerprint, and so no network.
 */
class LayerBuiltOnDeploy extends Code {
  readonly isInline = false;

  override bind(scope: Construct): CodeConfig {
    const { bucketName, objectKey } = Stack.of(scope).synthesizer.addFileAsset({
      sourceHash: ocrLayerFingerprint('arm64'),
      executable: [process.execPath, join(repository, 'bin/build-layers.ts'), '--zip'],
      displayName: 'OCR layer',
    });
    return { s3Location: { bucketName, objectKey } };
  }

  /** Gives `sam local invoke` the place of the layer, once `npm run build:layers` has made it. */
  override bindToResource(resource: CfnResource): void {
    const assets = Stage.of(resource)?.assetOutdir ?? '.';
    resource.addMetadata('aws:asset:path', relative(assets, ocrLayerAsset));
    resource.addMetadata('aws:asset:property', 'Content');
  }
}
