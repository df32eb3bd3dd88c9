"""The teacher and reference: all-MiniLM-L6-v2 (Apache-2.0), run on ONNX Runtime from the weights in the PyPI package.

The package carries the weights only, so the graph is written out here: six BERT layers, mean pooling, unit length.
Nothing of the teacher is shipped: the student sees its similarities during training only.
"""

import os

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file
from tokenizers import Tokenizer

LAYERS, HEADS, WIDTH = 6, 12, 384


def build(folder, path):
    weights = load_file(f'{folder}/model.safetensors')
    nodes, inits = [], []
    names = iter(range(10**6))

    def const(value):
        name = f'c{next(names)}'
        inits.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def op(kind, *inputs, **attributes):
        out = f't{next(names)}'
        nodes.append(helper.make_node(kind, list(inputs), [out], **attributes))
        return out

    def dense(x, prefix):
        return op('Add', op('MatMul', x, const(weights[f'{prefix}.weight'].T)), const(weights[f'{prefix}.bias']))

    def norm(x, prefix):
        return op(
            'LayerNormalization',
            x,
            const(weights[f'{prefix}.weight']),
            const(weights[f'{prefix}.bias']),
            axis=-1,
            epsilon=1e-12,
        )

    position = weights['embeddings.position_embeddings.weight'] + weights['embeddings.token_type_embeddings.weight'][0]
    length = op('Gather', op('Shape', 'ids'), const(np.array([1], np.int64)))
    x = op(
        'Add',
        op('Gather', const(weights['embeddings.word_embeddings.weight']), 'ids'),
        op('Slice', const(position), const(np.array([0], np.int64)), length),
    )
    x = norm(x, 'embeddings.LayerNorm')
    mask = op('Unsqueeze', 'mask', const(np.array([1, 2], np.int64)))
    bias = op('Mul', op('Sub', mask, const(np.float32(1))), const(np.float32(1e4)))
    split = const(np.array([0, 0, HEADS, WIDTH // HEADS], np.int64))
    join = const(np.array([0, 0, WIDTH], np.int64))
    for i in range(LAYERS):
        p = f'encoder.layer.{i}'
        q, k, v = (
            op('Transpose', op('Reshape', dense(x, f'{p}.attention.self.{n}'), split), perm=perm)
            for n, perm in (('query', [0, 2, 1, 3]), ('key', [0, 2, 3, 1]), ('value', [0, 2, 1, 3]))
        )
        scores = op('Add', op('Mul', op('MatMul', q, k), const(np.float32((WIDTH // HEADS) ** -0.5))), bias)
        mixed = op('MatMul', op('Softmax', scores, axis=-1), v)
        mixed = op('Reshape', op('Transpose', mixed, perm=[0, 2, 1, 3]), join)
        x = norm(op('Add', x, dense(mixed, f'{p}.attention.output.dense')), f'{p}.attention.output.LayerNorm')
        h = dense(x, f'{p}.intermediate.dense')
        x = norm(op('Add', x, dense(op('Gelu', h), f'{p}.output.dense')), f'{p}.output.LayerNorm')
    last = op('Unsqueeze', 'mask', const(np.array([2], np.int64)))
    total = op('ReduceSum', op('Mul', x, last), const(np.array([1], np.int64)), keepdims=0)
    size = op('ReduceL2', total, const(np.array([1], np.int64)), keepdims=1)
    nodes.append(helper.make_node('Div', [total, size], ['out']))
    graph = helper.make_graph(
        nodes,
        'minilm',
        [
            helper.make_tensor_value_info('ids', TensorProto.INT64, ['b', 't']),
            helper.make_tensor_value_info('mask', TensorProto.FLOAT, ['b', 't']),
        ],
        [helper.make_tensor_value_info('out', TensorProto.FLOAT, ['b', WIDTH])],
        inits,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid('', 20)], ir_version=10), path)


class Teacher:
    """`Teacher(folder)(texts)` -> unit vectors, float32 [n, 384]. `quantised` is about three times as fast and made
    for distillation; the reference figures come from the full one."""

    def __init__(self, folder, work='.', quantised=False, threads=2):
        path = f'{work}/minilm.onnx'
        if not os.path.exists(path):
            build(folder, path)
        if quantised:
            small = f'{work}/minilm.int8.onnx'
            if not os.path.exists(small):
                from onnxruntime.quantization import QuantType, quantize_dynamic

                quantize_dynamic(
                    path,
                    small,
                    weight_type=QuantType.QInt8,
                    op_types_to_quantize=['MatMul'],
                    per_channel=True,
                    extra_options={'MatMulConstBOnly': True},
                )
            path = small
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = ort.InferenceSession(path, options, providers=['CPUExecutionProvider'])
        self.tokenizer = Tokenizer.from_file(f'{folder}/tokenizer.json')
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(128)

    def __call__(self, texts, batch=64, progress=None):
        encoded = [e.ids for e in self.tokenizer.encode_batch(list(texts))]
        order = np.argsort([len(e) for e in encoded], kind='stable')
        out = np.zeros((len(texts), WIDTH), np.float32)
        for start in range(0, len(order), batch):
            pick = order[start : start + batch]
            longest = max(len(encoded[i]) for i in pick)
            ids = np.zeros((len(pick), longest), np.int64)
            mask = np.zeros((len(pick), longest), np.float32)
            for row, i in enumerate(pick):
                ids[row, : len(encoded[i])] = encoded[i]
                mask[row, : len(encoded[i])] = 1
            out[pick] = self.session.run(None, {'ids': ids, 'mask': mask})[0]
            if progress and start // batch % progress == 0:
                print(start, flush=True)
        return out
