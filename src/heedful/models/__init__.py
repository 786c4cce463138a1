"""The models, all on the interface of `seq2seq`; they see tensors and masks, nothing else."""
