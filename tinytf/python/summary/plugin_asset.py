"""TensorFlow's path to files beside events, which plugins of TensorBoard read."""

from tinytf.events.plugin_asset import PluginAsset, get_all_plugin_assets, get_plugin_asset

__all__ = ["PluginAsset", "get_all_plugin_assets", "get_plugin_asset"]
